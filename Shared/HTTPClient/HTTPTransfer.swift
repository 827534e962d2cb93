import CLibcurl
import Core

/// One transfer of libcurl, from its options to its outcome. It is used only on the transfer
/// thread.
final class HTTPTransfer {
  let job: TransferJob
  let handle: EasyHandle
  private let response: ResponseBuffer
  private let errorText = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var singleUseBody: SingleUseBody?
  private var headerList: UnsafeMutablePointer<curl_slist>?

  /// Creates a transfer and sets its handle's options. Keep the transfer until the handle is
  /// removed from the multi handle.
  ///
  /// - Throws: DEADLINE_EXCEEDED when no time is left, INVALID_ARGUMENT when the request can't be
  ///   written as HTTP, INTERNAL when libcurl has no memory or doesn't support an option.
  init(
    _ job: TransferJob,
    handle: EasyHandle,
    userAgent: String,
    configuration: HTTPClientConfiguration
  ) throws(StatusError) {
    self.job = job
    self.handle = handle
    response = ResponseBuffer(
      target: job.target,
      maximumHeaderBytes: configuration.maximumHeaderBytes,
      maximumBodyBytes: job.request.maximumResponseBytes,
      receiver: job.request.receiver
    )
    errorText.initialize(repeating: 0)
    try setLimits(configuration)
    try setRoute(configuration)
    try setRequest(userAgent: userAgent)
    try setReceivers()
  }

  /// Resets the handle for the next transfer.
  deinit {
    handle.reset()
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  // MARK: Options

  private func setLimits(_ configuration: HTTPClientConfiguration) throws(StatusError) {
    let timeLeft = ContinuousClock.now.duration(to: job.deadline)
    guard timeLeft > .zero else { throw job.deadlineExceeded }
    try handle.set(CURLOPT_TIMEOUT_MS, timeLeft.curlMilliseconds)
    try handle.set(
      CURLOPT_CONNECTTIMEOUT_MS,
      min(timeLeft, configuration.connectTimeout).curlMilliseconds
    )
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.check(curl_set_abandons_name_lookup(handle.pointer))
  }

  private func setRoute(_ configuration: HTTPClientConfiguration) throws(StatusError) {
    try handle.set(CURLOPT_URL, job.request.url)
    try handle.set(CURLOPT_PATH_AS_IS, 1)
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // With this option, parallel requests wait for the first one's TLS handshake, and share its
    // connection if it negotiates HTTP/2. Without TLS, they would have to wait for the whole first
    // response, because only a response tells the HTTP version.
    if job.target.isEncrypted { try handle.set(CURLOPT_PIPEWAIT, 1) }
    if job.target.isLoopback { try handle.set(CURLOPT_NOPROXY, "*") }
    try handle.set(CURLOPT_SSL_VERIFYPEER, 1)
    try handle.set(CURLOPT_SSL_VERIFYHOST, 2)
    if case .named(let file, let directory) = configuration.authorities {
      try handle.set(CURLOPT_CAINFO, file)
      try handle.set(CURLOPT_CAPATH, directory)
    }
  }

  private func setRequest(userAgent: String) throws(StatusError) {
    let request = job.request
    guard request.method.isHTTPToken else {
      throw StatusError(.invalidArgument, "\(job.target): the method isn't an HTTP token")
    }
    if request.method == "HEAD" {
      try handle.set(CURLOPT_NOBODY, 1)
    } else if let body = request.body ?? (Self.needsBody(request.method) ? Data() : nil) {
      try setBody(body)
    }
    if request.method != "HEAD" { try handle.set(CURLOPT_CUSTOMREQUEST, request.method) }
    try handle.set(CURLOPT_USERAGENT, userAgent)
    try handle.set(CURLOPT_ACCEPT_ENCODING, "gzip")
    for header in request.headers { try append(header) }
    // By default libcurl sends Expect: 100-continue before a large body, and the content type of a
    // form. Remove both.
    try append(line: "Expect:")
    if request.headers["content-type"] == nil { try append(line: "Content-Type:") }
    try handle.check(curl_set_headers(handle.pointer, headerList))
  }

  private func setBody(_ body: Data) throws(StatusError) {
    try handle.set(CURLOPT_POST, 1)
    let size = curl_off_t(body.count)
    try handle.check(curl_set_size(handle.pointer, CURLOPT_POSTFIELDSIZE_LARGE, size))
    guard job.request.isRepeatable else { return try setSingleUse(SingleUseBody(body)) }
    let result =
      body.isEmpty
      ? curl_set_body(handle.pointer, "")
      : body.withUnsafeBytes { curl_set_body(handle.pointer, $0.baseAddress) }
    try handle.check(result)
  }

  private func setSingleUse(_ body: SingleUseBody) throws(StatusError) {
    singleUseBody = body
    let result = curl_set_sender(
      handle.pointer,
      { bytes, size, count, sender in
        guard let sender else { return 0 }
        let body = Unmanaged<SingleUseBody>.fromOpaque(sender).takeUnretainedValue()
        return body.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
      },
      Unmanaged.passUnretained(body).toOpaque()
    )
    try handle.check(result)
  }

  private func append(_ header: HTTPHeader) throws(StatusError) {
    guard header.name.isHTTPToken,
      !header.value.utf8.contains(where: { [0, 10, 13].contains($0) })
    else {
      throw StatusError(.invalidArgument, "\(job.target): a header isn't valid HTTP")
    }
    // libcurl sends an empty field only if its name is followed by a semicolon instead of a colon.
    try append(
      line: header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
    )
  }

  private func append(line: String) throws(StatusError) {
    guard let longer = curl_slist_append(headerList, line) else {
      throw StatusError(.internal, "\(job.target): libcurl is out of memory")
    }
    headerList = longer
  }

  private func setReceivers() throws(StatusError) {
    try handle.check(curl_set_error_buffer(handle.pointer, errorText.baseAddress))
    let receiver = Unmanaged.passUnretained(response).toOpaque()
    let result = curl_set_receivers(
      handle.pointer,
      { bytes, size, count, receiver in
        HTTPTransfer.receive(bytes, size * count, receiver) { $0.takeHeader($1) }
      },
      { bytes, size, count, receiver in
        HTTPTransfer.receive(bytes, size * count, receiver) { $0.takeBody($1) }
      },
      receiver
    )
    try handle.check(result)
  }

  /// Passes bytes to the response buffer.
  ///
  /// - Returns: `count`, or -1, which makes libcurl end the transfer.
  private static func receive(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ receiver: UnsafeMutableRawPointer?,
    take: (ResponseBuffer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let receiver else { return -1 }
    let response = Unmanaged<ResponseBuffer>.fromOpaque(receiver).takeUnretainedValue()
    return take(response, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -1
  }

  /// Returns whether a request with this method but without a body must send Content-Length: 0 (RFC
  /// 9110, section 8.6).
  private static func needsBody(_ method: String) -> Bool {
    method == "POST" || method == "PUT" || method == "PATCH"
  }

  // MARK: Outcome

  /// Returns the outcome for the caller of `HTTPClient.send`. Call it once, after the transfer has
  /// ended.
  func outcome(_ result: CURLcode) -> Result<HTTPResponse, StatusError> {
    if let exceeded = response.exceeded { return .failure(exceeded) }
    guard result == CURLE_OK else {
      let detail = errorText.baseAddress.map { String(cString: $0) } ?? ""
      return .failure(TransferFailure.error(result, detail: detail, of: job))
    }
    guard response.hasAllHeaders else {
      return .failure(
        StatusError(.unavailable, "\(job.target): the connection closed within the headers")
      )
    }
    return .success(
      HTTPResponse(status: handle.status, headers: response.headers, body: response.body)
    )
  }
}
