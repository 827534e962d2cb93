import Core
import HTTPService

/// A batch: several requests to the JSON API in one, as parts of a `multipart/mixed` body.
struct Batch {
  /// The maximum number of requests of a batch, as in production.
  private static let maximumCount = 100

  let service: StorageService
  let request: ServiceRequest

  func respond() async throws(StorageError) -> ServiceResponse {
    guard request.method == "POST",
      let boundary = request.headers["content-type"]?.parameter("boundary")
    else { throw .invalid("a batch is a POST with the type multipart/mixed and a boundary") }
    let text = String(decoding: request.body, as: UTF8.self).replacing("\r\n", with: "\n")
    let parts = text.split(separator: "--\(boundary)", omittingEmptySubsequences: false)
      .dropFirst().prefix { !$0.hasPrefix("--") }
    guard parts.count <= Self.maximumCount else {
      throw .invalid("the batch has more than \(Self.maximumCount) requests")
    }
    let own = "batch_\(ObjectFolder.newName())"
    var body = ""
    for part in parts {
      let response = try await respond(toPart: part)
      body += "--\(own)\r\n\(response)\r\n"
    }
    return ServiceResponse(
      headers: [("content-type", "multipart/mixed; boundary=\(own)")],
      body: Data("\(body)--\(own)--".utf8)
    )
  }

  private func respond(toPart part: Substring) async throws(StorageError) -> String {
    // A part has headers of its own, then the request with its headers and its body.
    let pieces = part.drop { $0 == "\n" }.split(
      separator: "\n\n",
      maxSplits: 2,
      omittingEmptySubsequences: false
    )
    guard pieces.count >= 2 else { throw .invalid("a part of the batch is not a request") }
    let lines = pieces[1].split(separator: "\n")
    let line = (lines.first ?? "").split(separator: " ")
    guard line.count >= 2 else { throw .invalid("a part of the batch is not a request") }
    let response = await response(
      method: String(line[0]),
      target: String(line[1]),
      headers: Self.headers(lines.dropFirst()),
      body: pieces.count > 2 ? String(pieces[2].trimmingSuffix("\n")) : ""
    )
    var text = "Content-Type: application/http\r\n"
    if let id = Self.headers(pieces[0].split(separator: "\n"))["content-id"] {
      text += "Content-ID: <response-\(id.drop { $0 == "<" })\r\n"
    }
    text += "\r\nHTTP/1.1 \(response.status) \(response.status < 300 ? "OK" : "Error")\r\n"
    text += "Content-Length: \(response.body.count)\r\n"
    for (name, value) in response.headers { text += "\(name): \(value)\r\n" }
    return text + "\r\n" + String(decoding: response.body, as: UTF8.self)
  }

  private func response(
    method: String,
    target: String,
    headers: [String: String],
    body: String
  ) async -> ServiceResponse {
    do throws(StorageError) {
      // Clients send the whole URL, or the path alone.
      let path = target.firstRange(of: "/storage/v1/").map { target[$0.lowerBound...] }
      guard let path else { throw .invalid("a batch has requests to /storage/v1 only") }
      var part = try StorageError.wrapping { () throws(StatusError) in
        try ServiceRequest(
          method: method,
          target: String(path),
          headers: headers,
          body: Data(body.utf8)
        )
      }
      part.authority = request.authority
      part.headers["traceparent"] = request.headers["traceparent"]
      guard part[query: "alt"] != "media" else {
        throw .invalid("a batch can't have downloads")
      }
      return try await JSONAPI(service: service, request: part).respond(part.path.dropFirst(2))
    } catch {
      return error.response
    }
  }

  private static func headers(_ lines: some Sequence<Substring>) -> [String: String] {
    var headers: [String: String] = [:]
    for line in lines {
      let pair = line.split(separator: ":", maxSplits: 1)
      if pair.count == 2 { headers[pair[0].lowercased()] = String(pair[1].drop { $0 == " " }) }
    }
    return headers
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    var text = self
    while text.last == character { text.removeLast() }
    return text
  }
}
