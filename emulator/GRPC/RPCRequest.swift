import Core
import NIOHPACK

/// The headers of a call that the server uses.
struct RPCRequest {
  var method = ""
  var path = ""
  var authority = ""
  var isGRPC = false
  /// The compression of the client's messages, or `nil` if they aren't compressed.
  var encoding: String?
  var acceptsGzip = false
  var timeout: String?

  init(_ headers: HPACKHeaders) {
    // Only ASCII values have a meaning here, so ignore all others.
    for (name, value, _) in headers where value.isASCII {
      switch name {
      case ":method": method = value
      case ":path": path = value
      case ":authority": authority = value
      case "content-type": isGRPC = Self.isGRPC(contentType: value)
      case "grpc-encoding": encoding = value == "identity" ? nil : value
      case "grpc-accept-encoding":
        acceptsGzip = value.split(separator: ",").contains { $0.filter { $0 != " " } == "gzip" }
      case "grpc-timeout": timeout = value
      case "host": if authority.isEmpty { authority = value }
      default: break
      }
    }
  }

  /// Returns whether a content type is `application/grpc` or `application/grpc+proto`, with or
  /// without parameters.
  private static func isGRPC(contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" }
    return type == "application/grpc" || type == "application/grpc+proto"
  }
}
