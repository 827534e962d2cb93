// libcrypto for Swift, which can't call C macros and variadic functions: this header wraps them in
// functions.
#ifndef WORLDCHAT_CLIBCRYPTO_SHIM_H
#define WORLDCHAT_CLIBCRYPTO_SHIM_H

// The one-shot digest functions of OpenSSL 3 first load providers and a configuration file, which
// costs a short-lived process more than the digest. The older functions don't. They are deprecated
// but still part of every release.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stddef.h>

// Initializes libcrypto without its exit handler, which would free tables during `exit` while other
// threads still use them, and so crash the process. Call it before any function that initializes
// libcrypto, also those of libcurl.
static inline int clibcrypto_initialize(void) {
  return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

static inline int clibcrypto_sha256(const void *bytes, size_t count, unsigned char *digest) {
  SHA256_CTX context;
  return SHA256_Init(&context) && SHA256_Update(&context, bytes, count) &&
         SHA256_Final(digest, &context);
}

static inline int clibcrypto_sha1(const void *bytes, size_t count, unsigned char *digest) {
  SHA_CTX context;
  return SHA1_Init(&context) && SHA1_Update(&context, bytes, count) &&
         SHA1_Final(digest, &context);
}

static inline int clibcrypto_md5(const void *bytes, size_t count, unsigned char *digest) {
  MD5_CTX context;
  return MD5_Init(&context) && MD5_Update(&context, bytes, count) && MD5_Final(digest, &context);
}

static inline EVP_PKEY *clibcrypto_generate_rsa(unsigned int bits) {
  return clibcrypto_initialize() ? EVP_RSA_gen(bits) : NULL;
}

// Creates a public key from an unsigned modulus and exponent, most significant byte first, or
// returns NULL if they aren't valid.
static inline EVP_PKEY *clibcrypto_rsa_public(const unsigned char *modulus, size_t modulus_count,
                                              const unsigned char *exponent,
                                              size_t exponent_count) {
  if (!clibcrypto_initialize()) return NULL;
  EVP_PKEY *key = NULL;
  OSSL_PARAM *parameters = NULL;
  BIGNUM *n = BN_bin2bn(modulus, (int)modulus_count, NULL);
  BIGNUM *e = BN_bin2bn(exponent, (int)exponent_count, NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
  if (n && e && builder && context && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) &&
      OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) &&
      (parameters = OSSL_PARAM_BLD_to_param(builder)) && EVP_PKEY_fromdata_init(context) == 1 &&
      EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
    key = NULL;
  EVP_PKEY_CTX_free(context);
  OSSL_PARAM_free(parameters);
  OSSL_PARAM_BLD_free(builder);
  BN_free(e);
  BN_free(n);
  return key;
}

// Returns whether an RSA key's exponent is odd and greater than 1. With an exponent of 1, anybody
// can forge a signature.
static inline int clibcrypto_has_sound_exponent(const EVP_PKEY *key) {
  BIGNUM *e = NULL;
  int is_sound = EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &e) == 1 && BN_is_odd(e) &&
                 !BN_is_one(e);
  BN_free(e);
  return is_sound;
}

// Returns a reader of a text, which must exist as long as the reader.
static inline BIO *clibcrypto_reader(const char *text) {
  return clibcrypto_initialize() ? BIO_new_mem_buf(text, -1) : NULL;
}

static inline BIO *clibcrypto_memory(void) { return BIO_new(BIO_s_mem()); }

static inline long clibcrypto_memory_contents(BIO *memory, char **bytes) {
  return BIO_get_mem_data(memory, bytes);
}

#endif
