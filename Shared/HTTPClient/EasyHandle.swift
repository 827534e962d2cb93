import CLibcurl
import Core

/// A libcurl handle for one transfer at a time. It is used only on the transfer thread.
///
/// Handles are reused because each caches the TLS sessions of its hosts.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer

  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
  }

  deinit { curl_easy_cleanup(pointer) }

  /// Clears the options of the last transfer.
  func reset() { curl_easy_reset(pointer) }

  func set(_ option: CURLoption, _ number: Int) throws(StatusError) {
    try check(curl_set_number(pointer, option, number))
  }

  func set(_ option: CURLoption, _ text: String?) throws(StatusError) {
    try check(curl_set_string(pointer, option, text))
  }

  /// Throws an error with libcurl's message if a call failed.
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
