import Core
import HTTPClient
import Synchronization
import TestKit
import Testing

/// A client that reads the emulator's server-sent events.
final class EventStreamClient: Sendable {
  struct Event: Sendable {
    var name: String
    var data: JSONValue
  }

  /// Splits the response into events as it arrives.
  private final class Receiver: ResponseReceiver {
    private let rest = Mutex(Data())
    private let sink: AsyncStream<Event>.Continuation

    init(_ sink: AsyncStream<Event>.Continuation) { self.sink = sink }

    func begin(status: Int, headers: [HTTPHeader]) {}

    func receive(_ bytes: UnsafeRawBufferPointer) {
      rest.withLock { rest in
        rest += bytes
        while let end = rest.firstRange(of: Data("\n\n".utf8)) {
          let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\n")
          rest = Data(rest[end.upperBound...])
          let name = lines.first { $0.hasPrefix("event: ") }?.dropFirst(7)
          let data = lines.first { $0.hasPrefix("data: ") }?.dropFirst(6)
          guard let name, let data, let value = try? JSONValue(parsing: Data(data.utf8)) else {
            continue
          }
          sink.yield(Event(name: String(name), data: value))
        }
      }
    }
  }

  private let events: AsyncStream<Event>
  private let task: Task<Void, Never>
  private let emulator: EmulatorProcess
  private let id = Mutex("")

  /// Opens a stream and waits for its first event, `hello`.
  init(_ emulator: EmulatorProcess) async throws {
    self.emulator = emulator
    let (events, sink) = AsyncStream.makeStream(of: Event.self)
    self.events = events
    var request = HTTPRequest(
      method: "GET",
      url: "http://\(emulator.address("ui"))/api/stream",
      headers: []
    )
    request.receiver = Receiver(sink)
    task = Task { [request] in
      _ = try? await HTTPClient.forTests().send(request, deadline: .generous)
      sink.finish()
    }
    let hello = try #require(await next("hello"))
    id.withLock { $0 = hello["stream"]?.string ?? "" }
  }

  deinit { task.cancel() }

  /// Returns the data of the next event with this name, or `nil` if the stream ends first.
  func next(_ name: String) async -> JSONValue? {
    for await event in events where event.name == name { return event.data }
    return nil
  }

  /// Returns the data of the next event with this name that matches, or `nil` if the stream ends
  /// first.
  func next(_ name: String, where fits: (JSONValue) -> Bool) async -> JSONValue? {
    while let data = await next(name) { if fits(data) { return data } }
    return nil
  }

  /// Sends a request about the stream.
  @discardableResult
  func send(
    _ method: String,
    _ path: String,
    _ body: String
  ) async throws -> EmulatorProcess.Answer {
    let path = "/api/stream/\(id.withLock(\.self))/\(path)"
    return try await emulator.request(method, "ui", path, json: body)
  }
}
