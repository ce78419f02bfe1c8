/**
 * Compiles each schema when it is first used, once per process. Compiling all schemas would take most of a service's start time, and a
 * process can start several services. Equal schemas share the result, because some routes build their schemas for each service.
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
