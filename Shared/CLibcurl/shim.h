// libcurl for Swift, which can't call variadic C functions: this header has one function per type
// of argument.
#ifndef WORLDCHAT_CLIBCURL_SHIM_H
#define WORLDCHAT_CLIBCURL_SHIM_H

#include <curl/curl.h>

static inline CURLcode curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

// libcurl copies the string.
static inline CURLcode curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

// Sets the body. libcurl copies as many bytes as CURLOPT_POSTFIELDSIZE_LARGE was set to.
static inline CURLcode curl_set_body(CURL *handle, const void *bytes) {
  return curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

// Sets the callback that supplies the body. libcurl can't read the body a second time.
static inline CURLcode curl_set_sender(CURL *handle, curl_read_callback body, void *sender) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_READFUNCTION, body);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_READDATA, sender);
  return result;
}

// The list must exist until the handle is reset.
static inline CURLcode curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

// `buffer` has CURL_ERROR_SIZE bytes and must exist as long as the handle uses it.
static inline CURLcode curl_set_error_buffer(CURL *handle, char *buffer) {
  return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

// Sets the callbacks that receive the response's header lines and body.
static inline CURLcode curl_set_receivers(
    CURL *handle, curl_write_callback header, curl_write_callback body, void *receiver) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_HEADERDATA, receiver);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_WRITEDATA, receiver);
  return result;
}

static inline CURLMcode curl_set_multi_number(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLcode curl_get_number(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

// Lets a cancelled transfer end before its name lookup does. Otherwise the cancellation waits for
// the lookup and delays all other transfers. Available since libcurl 7.87.
static inline CURLcode curl_set_abandons_name_lookup(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)handle;
  return CURLE_OK;
#endif
}

#endif
