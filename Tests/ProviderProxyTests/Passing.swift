import Core
import HTTPClient
import HTTPService
import ProviderFakes
import ProviderProxy
import Providers
import Synchronization
import TestKit

/// A proxy that forwards requests to a test's server as to a real provider.
struct Passing {
  static let key = "key-of-a-test-98765"

  private let live: LiveProvider
  private let reported: Problems

  /// The problems that the proxy has reported to the developer.
  private final class Problems: Sendable {
    let all = Mutex<[String]>([])
  }

  init(
    _ provider: ProviderName,
    at url: String,
    credential: ProviderCredential = .key(Secret(key)),
    validatesOnly: Bool = false,
    transport: HTTPClient = .forTests(),
    timeout: Duration = .seconds(150),
    recorder: CassetteRecorder? = nil
  ) throws(StatusError) {
    let reported = Problems()
    self.reported = reported
    live = LiveProvider(
      try ProviderTarget(provider, baseURL: url),
      credential: credential,
      validatesOnly: validatesOnly,
      transport: transport,
      timeout: timeout,
      recorder: recorder
    ) { problem in reported.all.withLock { $0.append(problem) } }
  }

  var problems: [String] { reported.all.withLock(\.self) }

  static func request(
    _ path: String,
    _ body: String = "{}",
    headers: [String: String] = [:]
  ) throws(StatusError) -> ServiceRequest {
    try ServiceRequest(
      method: "POST",
      target: path,
      headers: [
        "content-type": "application/json", "authorization": "Bearer emulator-openai-key",
        "x-api-key": "emulator-anthropic-key", "x-goog-api-key": "emulator-translation-key",
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "host": "127.0.0.1:5001", "anthropic-version": "2023-06-01",
      ].merging(headers) { $1 },
      body: Data(body.utf8)
    )
  }

  func send(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    try await live.respond(to: request)
  }

  func send(_ path: String, _ body: String = "{}") async throws(StatusError) -> ServiceResponse {
    try await send(Self.request(path, body))
  }
}

extension ServiceResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}
