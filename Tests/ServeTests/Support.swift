import Core
import FunctionHost
import HTTPClient
import Synchronization
import TestKit
import Testing

/// A running `serve` process.
struct ServeProcess: Sendable {
  let process: ChildProcess
  let port: Int
  let log: LogLines

  struct Answer: Sendable {
    var status: Int
    var headers: [HTTPHeader]
    var body: Data

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
  }

  private static let transport = HTTPClient(
    userAgent: "worldchat-tests",
    configuration: HTTPClientConfiguration(environment: [:])
  )

  func send(
    _ method: String = "POST",
    _ path: String = "/",
    headers: [HTTPHeader] = [],
    body: Data? = nil
  ) async throws -> Answer {
    let response = try await Self.transport.send(
      HTTPRequest(
        method: method,
        url: "http://127.0.0.1:\(port)\(path)",
        headers: headers,
        body: body,
        maximumResponseBytes: 64 << 20
      ),
      deadline: .generous
    )
    return Answer(status: response.status, headers: response.headers, body: response.body)
  }

  /// Sends a POST request with a JSON body.
  func post(
    _ json: String,
    _ headers: [HTTPHeader] = []
  ) async throws -> Answer {
    try await send(
      headers: [HTTPHeader("Content-Type", "application/json")] + headers,
      body: Data(json.utf8)
    )
  }

  /// Posts a CloudEvent in binary mode: its attributes are header fields, and its data is the body.
  func deliver(
    _ data: String,
    _ headers: [HTTPHeader] = [],
    id: String = "e1"
  ) async throws -> Answer {
    try await post(
      data,
      [
        HTTPHeader("ce-specversion", "1.0"), HTTPHeader("ce-id", id),
        HTTPHeader("ce-source", "//test"), HTTPHeader("ce-type", "test.happened"),
      ] + headers
    )
  }

  /// Sends a request as it is, and returns all bytes that arrive until the server closes the
  /// connection.
  func exchange(_ request: String) throws -> String {
    let connection = try RawConnection(port: port)
    connection.send(request)
    return String(decoding: try connection.readToEnd(), as: UTF8.self)
  }
}

/// The lines that a process writes to stderr, as JSON. A line that isn't JSON is a string.
final class LogLines: Sendable {
  private struct State {
    var lines: [JSONValue] = []
    var texts: [String] = []
    var isOver = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Reads lines in the background.
  ///
  /// - Parameter last: the message of the last line to read, or `nil` to read all lines.
  init(_ pipe: PipeReader, upTo last: String? = nil) {
    Task {
      while let line = try? await pipe.nextLine(maximumLength: 1 << 20) {
        let text = String(decoding: line, as: UTF8.self)
        let value = (try? JSONValue(parsing: Data(line))) ?? .string(text)
        change {
          $0.lines.append(value)
          $0.texts.append(text)
        }
        if let last, value["message"]?.string == last { return }
      }
      change { $0.isOver = true }
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let waiters = state.withLock { state in
      body(&state)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  var all: [JSONValue] { state.withLock(\.lines) }
  /// The lines as text.
  var texts: [String] { state.withLock(\.texts) }

  /// Waits until the given number of lines match, and returns them.
  ///
  /// - Throws: `UNAVAILABLE` if the process ends first.
  @discardableResult
  func wait(
    _ count: Int = 1,
    where fits: @Sendable (JSONValue) -> Bool
  ) async throws -> [JSONValue] {
    while true {
      let (found, isOver) = state.withLock { ($0.lines.filter(fits), $0.isOver) }
      if found.count >= count { return found }
      guard !isOver else {
        throw StatusError(.unavailable, "the process ended: \(all)")
      }
      await withCheckedContinuation { continuation in
        let isLate = state.withLock { state in
          let isLate = state.isOver || state.lines.filter(fits).count >= count
          if !isLate { state.waiters.append(continuation) }
          return isLate
        }
        if isLate { continuation.resume() }
      }
    }
  }

  func wait(forMessage message: String, _ count: Int = 1) async throws {
    try await wait(count) { $0["message"]?.string == message }
  }
}

/// Runs `body` with a new server, and ends the server afterwards.
///
/// - Parameters:
///   - product: the function, or `nil` for the probe.
///   - manifest: fields to add to the probe's manifest, as a JSON object.
///   - fileLimit: the server's limit of file descriptors.
///   - readsLog: whether the test reads the log after the server's ready line.
func withServe(
  _ options: String...,
  product: String? = nil,
  manifest: String = "{}",
  fileLimit: Int? = nil,
  readsLog: Bool = true,
  environment: [String: String] = [:],
  _ body: (ServeProcess) async throws -> Void
) async throws {
  ignoreBrokenPipes()
  try await withTemporaryFolder { folder in
    try await makeFile("\(folder)/probe", Probe.script(manifest), isExecutable: true)
    let function = try product.map { try Products.path(of: $0) } ?? "\(folder)/probe"
    let limit = fileLimit.map { "ulimit -n \($0) && " } ?? ""
    let arguments =
      [try Products.path(of: "serve"), function, "--port", "0", "--host", "127.0.0.1"] + options
    let process = try ChildProcess.spawn(
      Command(
        executable: "/bin/sh",
        arguments: ["-c", limit + #"exec "$@""#, "sh"] + arguments,
        environment: plainEnvironment.merging(environment) { $1 }
      ),
      standardInput: .null,
      standardOutput: .null
    )
    do {
      let log = LogLines(process.errorOutput, upTo: readsLog ? nil : "serving")
      let ready = try await log.wait { $0["message"]?.string == "serving" }
      let port = try #require(ready.first?["port"]?.string.flatMap { Int($0) })
      try await body(ServeProcess(process: process, port: port, log: log))
      process.signal(SIGTERM)
      #expect(await process.exitStatus() == .exited(0))
    } catch {
      await process.terminateGroup(grace: .zero)
      throw error
    }
  }
}
