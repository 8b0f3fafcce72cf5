import type { Readable } from 'node:stream';
import busboy from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { invalid, ProductError } from '#server/product-error.ts';

export type Form = { fields: Record<string, string>; files: Record<string, Buffer> };

const mostFields = 60;
const fieldBytes = 4000;

/**
 * Reads a multipart form into memory. Takes the names of the expected files and the maximum size of each in bytes. Throws
 * `malformed`, `body_too_large`, and `invalid_input` for unexpected files. `_method` is left out; with a POST it can only be
 * PATCH (specification section 7).
 */
export const readForm = (request: FastifyRequest, awaited: readonly string[], mostBytes: number): Promise<Form> =>
  new Promise((resolve, reject) => {
    const form: Form = { fields: {}, files: {} };
    const body = request.body as Readable;
    let reader: ReturnType<typeof busboy>;
    try {
      reader = busboy({
        headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
        limits: { fieldSize: fieldBytes, fields: mostFields, files: awaited.length, fileSize: mostBytes },
      });
    } catch {
      reject(new ProductError('malformed'));
      return;
    }
    const fail = (error: Error) => {
      body.unpipe(reader);
      body.resume();
      reject(error);
    };
    reader.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut) fail(invalid(name, 'This is too long.'));
      else if (name === '_method') {
        if (value.toUpperCase() !== 'PATCH') fail(invalid('_method', 'Only PATCH can be asked for.'));
      } else form.fields[name] = value;
    });
    reader.on('file', (name, stream) => {
      if (!awaited.includes(name)) {
        stream.on('error', () => undefined);
        stream.resume();
        fail(invalid(name, 'No file is awaited here.'));
        return;
      }
      // Reports a truncated file here, not on the parser.
      stream.on('error', () => fail(new ProductError('malformed')));
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('limit', () => fail(invalid(name, `This file is too large: ${Math.floor(mostBytes / 1_000_000)} MB at most.`)));
      stream.on('end', () => {
        const bytes = Buffer.concat(parts);
        // Browsers send an empty file if none was chosen.
        if (bytes.length > 0) form.files[name] = bytes;
      });
    });
    reader.on('fieldsLimit', () => fail(new ProductError('body_too_large')));
    reader.on('filesLimit', () => fail(new ProductError('body_too_large')));
    reader.on('error', () => fail(new ProductError('malformed')));
    reader.on('finish', () => resolve(form));
    body.on('error', fail);
    // A lost HTTP/2 connection closes the body without an error.
    body.on('close', () => {
      if (!body.readableEnded) fail(new ProductError('malformed'));
    });
    body.pipe(reader);
  });
