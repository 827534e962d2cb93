import Core
import NIOHPACK

/// What a call's headers say.
struct RPCRequest {
  var method = ""
  var path = ""
  var authority = ""
  var isGRPC = false
  /// Of the client's messages; nil is none.
  var encoding: String?
  var acceptsGzip = false
  var timeout: String?

  init(_ headers: HPACKHeaders) {
    // What is compared here is ASCII: a value that isn't means nothing.
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

  /// `application/grpc`, alone or with `+proto` or parameters.
  private static func isGRPC(contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" }
    return type == "application/grpc" || type == "application/grpc+proto"
  }
}
