/** How programs are told whom to trust, without their own flags. */

/**
 * Variables by which OpenSSL and Go, Python's requests, Node and curl take a file of authorities; all of them in the place of the system's,
 * but for Node, which adds it. None without a file.
 */
export const trustIn = (caFile: string | undefined): Readonly<Record<string, string>> =>
  caFile === undefined
    ? {}
    : {
        SSL_CERT_FILE: caFile,
        REQUESTS_CA_BUNDLE: caFile,
        NODE_EXTRA_CA_CERTS: caFile,
        CURL_CA_BUNDLE: caFile,
      };
