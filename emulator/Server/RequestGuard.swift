import HTTPService
import HTTPTypes
import HummingbirdCore
import JSONCoding
import NIOCore
import Platform
import RPCStatus

/// What stands in front of every service, on every port: which Host and Origin may come in, and
/// how much they may send.
///
/// A web page anywhere can send requests to a loopback port, and one that rebinds its name to
/// 127.0.0.1 can read the answers: so a foreign Host or Origin is refused before anything runs.
package struct RequestGuard: Sendable {
  /// Firestore takes commits of 10 MiB, functions events of 10 MiB; some room for what is around.
  package static let maximumBodyBytes = 11 * 1024 * 1024

  private let hosts: Set<String>
  private let origins: Set<String>

  /// - Parameters:
  ///   - allowedHosts: names beside loopback, such as the bound address and `--allow-host`.
  ///   - allowedOrigins: where pages may come from beside these, `scheme://host:port`.
  package init(allowedHosts: [String] = [], allowedOrigins: [String] = []) {
    hosts = Set(allowedHosts.map { $0.lowercased() })
    origins = Set(allowedOrigins.map { $0.lowercased() })
  }

  /// - Returns: nil if the connection is to be reset instead of an answer.
  func respond(to request: Request, with service: any HTTPService) async -> Response? {
    let origin = request.headers[.origin]
    let answer = await answer(request, origin: origin, service: service)
    guard !answer.isCut else { return nil }
    var response = answer.hummingbird
    response.headers[.date] = HTTPDate.now
    if request.method == .head { response.body = ResponseBody() }
    if let origin, isAllowed(origin: origin) {
      // Apps on a developer's own server need the answer, whatever port they are on.
      response.headers[.accessControlAllowOrigin] = origin
      response.headers[.accessControlAllowCredentials] = "true"
      response.headers[.vary] = "Origin"
    }
    return response
  }

  private func answer(
    _ request: Request,
    origin: String?,
    service: any HTTPService
  ) async -> ServiceResponse {
    guard let authority = request.head.authority, isAllowed(host: authority) else {
      return .error(
        StatusError(
          .permissionDenied,
          "Host \(quoted(request.head.authority ?? "")) is not this emulator's; --allow-host lets it in"
        )
      )
    }
    if let origin, !isAllowed(origin: origin) {
      return .error(
        StatusError(
          .permissionDenied,
          "Origin \(quoted(origin)) is not local; --allow-origin lets it in"
        )
      )
    }
    if origin == nil, request.isForeignSubresource {
      return .error(
        StatusError(.permissionDenied, "a page of another site asks without saying which it is")
      )
    }
    if request.method == .options, origin != nil { return preflight(request) }
    do throws(StatusError) {
      let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
      // One that says that it is too large needn't be waited for.
      guard length <= Self.maximumBodyBytes, let body = try await body(of: request) else {
        return .error(
          StatusError(
            .invalidArgument,
            "the body is larger than \(Self.maximumBodyBytes >> 20) MiB"
          ),
          status: 413
        )
      }
      let headers = Dictionary(
        request.headers.map { ($0.name.canonicalName, $0.value) }
      ) { first, _ in first }
      let authority = request.head.authority
      var request = try ServiceRequest(
        // HEAD is GET without a body.
        method: request.method == .head ? "GET" : request.method.rawValue,
        target: request.uri.string,
        headers: headers,
        body: body
      )
      request.authority = authority
      if service.isBrief(request) { return try await service.respond(to: request) }
      return try await withTaskExecutorPreference(globalConcurrentExecutor) {
        [request] () async throws(StatusError) in try await service.respond(to: request)
      }
    } catch {
      return .error(error)
    }
  }

  /// nil if it is larger than a body may be.
  ///
  /// - Throws: `INVALID_ARGUMENT` if it never came to its end.
  private func body(of request: Request) async throws(StatusError) -> Data? {
    do {
      let buffer = try await request.body.collect(upTo: Self.maximumBodyBytes)
      return Data(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      return nil
    } catch {
      throw StatusError(.invalidArgument, "the body is cut off or malformed")
    }
  }

  private func preflight(_ request: Request) -> ServiceResponse {
    var headers = [
      ("access-control-allow-methods", "DELETE,GET,HEAD,PATCH,POST,PUT"),
      // As long as browsers remember it: a page would else ask before each request.
      ("access-control-max-age", "7200"),
    ]
    if let asked = request.headers[.accessControlRequestHeaders] {
      headers.append(("access-control-allow-headers", asked))
    }
    return ServiceResponse(headers: headers.map { (name: $0.0, value: $0.1) })
  }

  /// - Parameter host: the Host header, with or without a port.
  func isAllowed(host: String) -> Bool {
    let name = host.withoutPort.lowercased()
    return name.isLoopback || hosts.contains(name)
  }

  /// - Parameter origin: the Origin header, `scheme://host:port` or `null`.
  func isAllowed(origin: String) -> Bool {
    if origins.contains(origin.lowercased()) { return true }
    let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].hasSuffix(":"), parts[1].isEmpty else { return false }
    return isAllowed(host: String(parts[2]))
  }
}

extension String {
  /// As it is, if what follows isn't a port.
  fileprivate var withoutPort: String {
    if hasPrefix("["), let end = firstIndex(of: "]") {
      let rest = self[index(after: end)...]
      return rest.isEmpty || rest.first == ":" ? String(self[index(after: startIndex)..<end]) : self
    }
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : self
  }

  fileprivate var isLoopback: Bool {
    if self == "localhost" || hasSuffix(".localhost") || self == "::1" { return true }
    let numbers = split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
  }
}

extension Request {
  /// Whether a browser says that another site's page loads this: as an image, a script or a frame,
  /// whose requests have no Origin. Who follows a link to here is let in.
  fileprivate var isForeignSubresource: Bool {
    func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    return value("sec-fetch-site") == "cross-site" && value("sec-fetch-dest") != "document"
  }
}

extension ServiceResponse {
  fileprivate var hummingbird: Response {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return Response(status: .init(code: status), headers: fields, body: hummingbirdBody)
  }

  private var hummingbirdBody: ResponseBody {
    guard let stream else { return ResponseBody(byteBuffer: ByteBuffer(bytes: body)) }
    return ResponseBody { writer in
      var body: any ServiceResponseWriter = BodyWriter(writer: writer)
      // A long answer takes its time, and nobody else's.
      try await withTaskExecutorPreference(globalConcurrentExecutor) { try await stream(&body) }
      if var rest = body as? BodyWriter { try await rest.flush() }
      try await writer.finish(nil)
    }
  }
}

/// Waits while the client doesn't read.
///
/// Small pieces are sent together: a write is let through as long as the socket takes bytes, and
/// some million pieces of a few bytes would wait in memory before it doesn't.
private struct BodyWriter: ServiceResponseWriter {
  private static let chunk = 32 * 1024

  private var writer: any ResponseBodyWriter
  private var pending = ByteBuffer()

  init(writer: any ResponseBodyWriter) {
    self.writer = writer
  }

  mutating func write(_ bytes: Data) async throws {
    pending.writeBytes(bytes)
    if pending.readableBytes >= Self.chunk { try await flush() }
  }

  mutating func flush() async throws {
    guard pending.readableBytes > 0 else { return }
    let chunk = pending
    pending = ByteBuffer()
    try await writer.write(chunk)
  }
}
