import type { paths } from './paths.ts'

// The types of a call by its method and path.

export type Method = 'get' | 'post' | 'put' | 'delete'
type Operation<M extends Method, P extends keyof paths> = NonNullable<paths[P][M]>

/** The paths that support a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: [Operation<M, P>] extends [never] ? never : P
}[keyof paths]

type Json<Message> = Message extends { content: { 'application/json': infer Content } } ? Content : never

/** The JSON response of an operation. */
export type Answer<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer Responses } ? Json<Responses[keyof Responses]> : never

/** The JSON request body of an operation. */
export type Body<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody: infer Request } ? Json<Request> : never

/** Parameters in the path or in the query. */
type Parameters<M extends Method, P extends PathOf<M>, Place extends 'path' | 'query'> =
  Operation<M, P> extends { parameters: { [place in Place]?: infer Values } } ? NonNullable<Values> : never

type OrUndefined<Values> = { [name in keyof Values]: Values[name] | undefined }

/** Values for the query; undefined ones are left out. */
export type Query<M extends Method, P extends PathOf<M>> = OrUndefined<Parameters<M, P, 'query'>>

type NeededPath<Values> = [Values] extends [never] ? unknown : { path: Values }
type NeededBody<Json> = [Json] extends [never]
  ? unknown
  : Record<never, never> extends Json
    ? { body?: Json }
    : { body: Json }

/** The arguments of a call: path and query parameters and the body. */
export type Given<M extends Method, P extends PathOf<M>> = NeededPath<Parameters<M, P, 'path'>> &
  NeededBody<Body<M, P>> & { query?: Query<M, P>; idempotencyKey?: string }

/** The argument list. It may be empty if the operation has no parameters and no body. */
export type Arguments<G> = object extends G ? [given?: G] : [given: G]
