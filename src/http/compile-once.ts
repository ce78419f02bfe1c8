/**
 * Compiles each schema once per process. Compiling takes most of a service's start, and a process can start several services.
 * Equal schemas share the result, because some routes build their schemas per service.
 */
export function compileOnce<Compiled>(compile: (schema: object) => Compiled): (schema: object) => Compiled {
  const known = new Map<string, Compiled>()
  return (schema) => {
    const key = JSON.stringify(schema)
    const compiled = known.get(key) ?? compile(schema)
    known.set(key, compiled)
    return compiled
  }
}
