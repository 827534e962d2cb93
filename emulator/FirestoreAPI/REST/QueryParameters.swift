import Core
import FirestoreModel
import FirestoreProtos
import HTTPService
import SwiftProtobuf

// The URL's parameters, which contain those fields of a request message that aren't in the path or
// the body. Unknown parameters are ignored, because Google's clients add some to every request.

extension ServiceRequest {
  /// Returns the values of a parameter.
  ///
  /// - Parameter name: The name in camel case, such as `pageSize`. The URL may also have it in
  ///   snake case, as in `page_size`.
  private func parameters(_ name: String) -> [String] {
    let other = name.inSnakeCase
    return query.filter { $0.name == name || $0.name == other }.map(\.value)
  }

  func text(_ name: String) -> String { parameters(name).first ?? "" }

  func boolean(_ name: String) throws(StatusError) -> Bool? {
    switch parameters(name).first {
    case nil, "": return nil
    case "true": return true
    case "false": return false
    case .some: throw StatusError(.invalidArgument, "\(name) is neither true nor false")
    }
  }

  func integer(_ name: String) throws(StatusError) -> Int32 {
    guard let text = parameters(name).first, !text.isEmpty else { return 0 }
    guard let number = Int32(text) else {
      throw StatusError(.invalidArgument, "\(name) is not a number")
    }
    return number
  }

  func time(_ name: String) throws(StatusError) -> Google_Protobuf_Timestamp? {
    guard let text = parameters(name).first, !text.isEmpty else { return nil }
    do throws(StatusError) {
      return try Timestamp(text).proto
    } catch {
      throw StatusError(error.code, "\(name) is \(error.message)")
    }
  }

  /// Returns the bytes in a parameter that is encoded in base64 or base64url. A space is read as a
  /// plus sign, because URL decoding changes an unescaped plus to a space.
  func bytes(_ name: String) throws(StatusError) -> Data? {
    guard let text = parameters(name).first, !text.isEmpty else { return nil }
    var base64 = text.replacing("-", with: "+").replacing("_", with: "/").replacing(" ", with: "+")
    while !base64.utf8.count.isMultiple(of: 4) { base64 += "=" }
    guard let data = Data(base64Encoded: base64) else {
      throw StatusError(.invalidArgument, "\(name) is not base64")
    }
    return data
  }

  /// Returns the mask in parameters such as `mask.fieldPaths=a&mask.fieldPaths=b`, or `nil` if
  /// there are none.
  func mask(_ name: String) -> ProtoDocumentMask? {
    let paths = parameters("\(name).fieldPaths")
    return paths.isEmpty ? nil : .with { $0.fieldPaths = paths }
  }

  func precondition() throws(StatusError) -> ProtoPrecondition? {
    let exists = try boolean("currentDocument.exists")
    let updateTime = try time("currentDocument.updateTime")
    guard exists == nil || updateTime == nil else {
      throw StatusError(
        .invalidArgument,
        "set currentDocument.exists or currentDocument.updateTime, but not both"
      )
    }
    if let exists { return .with { $0.exists = exists } }
    return updateTime.map { time in .with { $0.updateTime = time } }
  }

  /// Returns the transaction or the read time in the request, or `nil` if it has neither.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the request has both.
  func selectedRead() throws(StatusError) -> SelectedRead? {
    let transaction = try bytes("transaction")
    let readTime = try time("readTime")
    guard transaction == nil || readTime == nil else {
      throw StatusError(.invalidArgument, "set transaction or readTime, but not both")
    }
    return transaction.map(SelectedRead.transaction) ?? readTime.map(SelectedRead.time)
  }
}

enum SelectedRead {
  case transaction(Data)
  case time(Google_Protobuf_Timestamp)
}

extension String {
  fileprivate var inSnakeCase: String {
    var result = ""
    for scalar in unicodeScalars {
      if ("A"..."Z").contains(scalar) { result += "_" }
      result += String(scalar).lowercased()
    }
    return result
  }
}
