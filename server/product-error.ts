import { type ErrorCode, errors } from '#contract/errors.ts';

/**
 * The only error thrown deliberately: a row of contract/errors.ts. Any other error is answered as `internal`, and its message
 * stays on the server.
 */
export class ProductError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string[]> | undefined;
  readonly extra: Record<string, unknown>;
  readonly headers: Record<string, string>;
  constructor(
    code: ErrorCode,
    more: { message?: string; fields?: Record<string, string[]>; extra?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(more.message ?? errors[code].message);
    this.code = code;
    this.fields = more.fields;
    this.extra = more.extra ?? {};
    this.headers = more.headers ?? {};
  }
  get status(): number {
    return errors[this.code].status;
  }
  body(requestId?: string) {
    return {
      message: this.message,
      code: this.code,
      ...(this.fields ? { errors: this.fields } : {}),
      ...this.extra,
      ...(requestId ? { request_id: requestId } : {}),
    };
  }
}

export const invalid = (field: string, message: string) => new ProductError('invalid_input', { fields: { [field]: [message] } });
