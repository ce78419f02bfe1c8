/**
 * Compiles a schema when it is first used, and once per process: compiling those of all routes would take most of a service's start,
 * and a process can start several services. Equal schemas share the result, because some routes build their schemas per service.
 */
export function compileOnce<Value, Result>(
  compile: (schema: object) => (value: Value) => Result,
): (schema: object) => (value: Value) => Result {
  const known = new Map<string, (value: Value) => Result>()
  const find = (schema: object) => {
    const key = JSON.stringify(schema)
    const compiled = known.get(key) ?? compile(schema)
    known.set(key, compiled)
    return compiled
  }
  return (schema) => {
    let compiled: ((value: Value) => Result) | undefined
    return (value) => {
      compiled ??= find(schema)
      return compiled(value)
    }
  }
}
