import build from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { compileOnce } from './compile-once.ts'

/** Compiles serializers like Fastify, but each schema only when it is first used, and once per process. */
export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => serializer(schema)

/** Compiles the serializer of a schema. @throws Error if the schema cannot be compiled */
export const buildSerializer = (schema: object) => build(schema)

const serializer = compileOnce(buildSerializer)
