import build from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { compileOnce } from './compile-once.ts'

/** Fastify's own compiler, but each schema is compiled when it is first used, and once per process. */
export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => serializer(schema)

/** Compiles a schema. @throws for one that cannot be compiled */
export const buildSerializer = (schema: object) => build(schema)

const serializer = compileOnce(buildSerializer)
