import build from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { compileOnce } from './compile-once.ts'

/** Fastify's own compiler, but each schema is compiled once per process. */
export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => serializer(schema)

const serializer = compileOnce((schema) => build(schema))
