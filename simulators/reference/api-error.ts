/** Errors as OpenAI-compatible servers give them. */

/** What a request is refused with: an HTTP status and the fields of the `error` object. */
export interface ApiError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** 400: the body is not what the endpoint takes. */
export const badRequest = (
  message: string,
  param: string | null = null,
  code: string | null = null,
): ApiError => ({
  status: 400,
  message,
  type: 'invalid_request_error',
  param,
  code,
});

export const modelNotFound = (model: string): ApiError => ({
  status: 404,
  message: `The model \`${model}\` does not exist.`,
  type: 'invalid_request_error',
  param: 'model',
  code: 'model_not_found',
});

export const bodyTooLarge = (limit: number): ApiError => ({
  status: 413,
  message: `The request body is larger than ${limit} bytes.`,
  type: 'invalid_request_error',
  param: null,
  code: 'request_too_large',
});

/** 503: refused because the target was told to. */
export const overloaded: ApiError = {
  status: 503,
  message: 'The server is overloaded; this refusal was asked for (--refuse).',
  type: 'server_error',
  param: null,
  code: 'overloaded',
};

/** 429: every slot is taken and no more may wait (--queue-limit). */
export const queueFull: ApiError = {
  status: 429,
  message: 'Every slot is taken and the queue is full (--slots, --queue-limit).',
  type: 'rate_limit_error',
  param: null,
  code: 'queue_full',
};

/** 500, or an event in a stream: the answer breaks off because the target was told to. */
export const brokenOff: ApiError = {
  status: 500,
  message: 'The answer broke off; this failure was asked for (--break).',
  type: 'server_error',
  param: null,
  code: 'internal_error',
};

export const notFound = (method: string, path: string): ApiError => ({
  status: 404,
  message: `There is no ${method} ${path} here.`,
  type: 'invalid_request_error',
  param: null,
  code: 'not_found',
});

export const methodNotAllowed = (method: string, path: string, allowed: string): ApiError => ({
  status: 405,
  message: `${path} takes ${allowed}, not ${method}.`,
  type: 'invalid_request_error',
  param: null,
  code: 'method_not_allowed',
});

/** The JSON body. */
export const errorBody = ({ message, type, param, code }: ApiError): string =>
  JSON.stringify({ error: { message, type, param, code } });
