import CLibcurl
import Core

/// libcurl's handle of one transfer at a time. It's used on the transfer thread only.
///
/// Handles are worth keeping: each remembers the TLS sessions of its hosts.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer

  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
  }

  deinit { curl_easy_cleanup(pointer) }

  /// Forgets the options of the last transfer.
  func reset() { curl_easy_reset(pointer) }

  func set(_ option: CURLoption, _ number: Int) throws(StatusError) {
    try check(curl_set_number(pointer, option, number))
  }

  func set(_ option: CURLoption, _ text: String?) throws(StatusError) {
    try check(curl_set_string(pointer, option, text))
  }

  /// Fails with what libcurl says of one of its options.
  func check(_ result: CURLcode) throws(StatusError) {
    guard result == CURLE_OK else {
      throw StatusError(.internal, "libcurl: \(String(cString: curl_easy_strerror(result)))")
    }
  }

  /// The status of the response, or 0 when there was none.
  var status: Int {
    var status = 0
    curl_get_number(pointer, CURLINFO_RESPONSE_CODE, &status)
    return status
  }
}
