package import Core
package import HTTPService

/// A function's request to a provider and the response, as recordings and cassettes store them.
///
/// Only the response headers that functions act on are kept: keys and tokens are never stored.
package struct ProviderExchange: Sendable, Hashable {
  /// The body of a request or response.
  package enum Body: Sendable, Hashable {
    case none
    case json(JSONValue)
    case text(String)

    package init(_ data: Data) {
      if data.isEmpty {
        self = .none
      } else if data.isValidUTF8, let json = try? JSONValue(parsing: data) {
        self = .json(json)
      } else {
        self = .text(String(decoding: data, as: UTF8.self))
      }
    }

    var data: Data {
      switch self {
      case .none: Data()
      case .json(let json): Data(json.line.utf8)
      case .text(let text): Data(text.utf8)
      }
    }
  }

  package struct Request: Sendable, Hashable {
    package var method: String
    /// The path below the provider's base URL, with the query.
    package var path: String
    package var body: Body
  }

  package struct Response: Sendable, Hashable {
    package var status: Int
    /// The headers by lowercase name.
    package var headers: [String: String]
    package var body: Body
  }

  package var request: Request
  package var response: Response

  package init(request: Request, response: Response) {
    self.request = request
    self.response = response
  }

  /// The response headers that functions act on.
  package static let keptHeaders: Set<String> = [
    "content-type", "retry-after", "retry-after-ms", "x-should-retry",
  ]
}

extension ProviderExchange.Request {
  /// Creates the stored form of a request.
  ///
  /// - Parameter request: the request, without the leading `providers` in its path.
  package init(_ request: ServiceRequest) {
    let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    self.init(
      method: request.method,
      path: "/" + request.path.joined(separator: "/") + (query.isEmpty ? "" : "?\(query)"),
      body: ProviderExchange.Body(request.body)
    )
  }
}

extension ProviderExchange.Response {
  /// Creates the stored form of a response.
  ///
  /// - Parameter response: the response with its complete body.
  package init(_ response: ServiceResponse) {
    self.init(
      status: response.status,
      headers: Dictionary(
        response.headers.map { ($0.name.lowercased(), $0.value) }
          .filter { ProviderExchange.keptHeaders.contains($0.0) }
      ) { first, _ in first },
      body: ProviderExchange.Body(response.body)
    )
  }

  package var serviceResponse: ServiceResponse {
    ServiceResponse(
      status: status,
      headers: headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) },
      body: body.data
    )
  }
}

// MARK: JSON

extension ProviderExchange {
  package var json: JSONValue {
    var request: JSONObject = [
      "method": .string(self.request.method), "path": .string(self.request.path),
    ]
    self.request.body.write(to: &request)
    var response: JSONObject = ["status": .integer(Int64(self.response.status))]
    if !self.response.headers.isEmpty {
      response["headers"] = .object(JSONObject(self.response.headers.mapValues(JSONValue.string)))
    }
    self.response.body.write(to: &response)
    return .object(["request": .object(request), "response": .object(response)])
  }

  /// Creates an exchange from its JSON.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the name of the missing or wrong field.
  package init(_ json: JSONValue) throws(StatusError) {
    guard let method = json["request"]?["method"]?.string,
      let path = json["request"]?["path"]?.string
    else { throw StatusError(.invalidArgument, "an exchange's request has no method or path") }
    guard let status = json["response"]?["status"]?.wholeNumber, (100...599).contains(status) else {
      throw StatusError(.invalidArgument, "an exchange's response has no status from 100 to 599")
    }
    let headers = json["response"]?["headers"]?.object ?? [:]
    self.init(
      request: Request(method: method, path: path, body: Body(of: json["request"])),
      response: Response(
        status: status,
        headers: headers.strings,
        body: Body(of: json["response"])
      )
    )
  }
}

extension ProviderExchange.Body {
  fileprivate init(of message: JSONValue?) {
    if let json = message?["body"] {
      self = .json(json)
    } else if let text = message?["text"]?.string {
      self = .text(text)
    } else {
      self = .none
    }
  }

  fileprivate func write(to message: inout JSONObject) {
    switch self {
    case .none: break
    case .json(let json): message["body"] = json
    case .text(let text): message["text"] = .string(text)
    }
  }
}
