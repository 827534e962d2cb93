// libcrypto as Swift sees it: what is a macro or variadic there is a function here.
#ifndef WORLDCHAT_CLIBCRYPTO_SHIM_H
#define WORLDCHAT_CLIBCRYPTO_SHIM_H

// The one-shot digest functions of OpenSSL 3 load providers and a configuration file first, which
// costs a short-lived process more than the digest. The plain ones don't; they are "deprecated"
// in favour of the former and still part of every release.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <stddef.h>

static inline int clibcrypto_sha256(const void *bytes, size_t count, unsigned char *digest) {
  SHA256_CTX context;
  return SHA256_Init(&context) && SHA256_Update(&context, bytes, count) &&
         SHA256_Final(digest, &context);
}

static inline int clibcrypto_md5(const void *bytes, size_t count, unsigned char *digest) {
  MD5_CTX context;
  return MD5_Init(&context) && MD5_Update(&context, bytes, count) && MD5_Final(digest, &context);
}

static inline EVP_PKEY *clibcrypto_generate_rsa(unsigned int bits) { return EVP_RSA_gen(bits); }

static inline BIO *clibcrypto_memory(void) { return BIO_new(BIO_s_mem()); }

static inline long clibcrypto_memory_contents(BIO *memory, char **bytes) {
  return BIO_get_mem_data(memory, bytes);
}

#endif
