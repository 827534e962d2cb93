import Core
import FirestoreModel
import FirestoreProtos
import FunctionRuntime
import SwiftProtobuf

/// The payload of a document event, as protobuf and as JSON.
extension ProtoDocumentEventData {
  init(_ event: DocumentEvent) {
    self.init()
    if let document = event.value {
      value = ProtoDocument(document, name: document.name.description)
    }
    if let document = event.oldValue {
      oldValue = ProtoDocument(document, name: document.name.description)
    }
    if !event.updateMask.isEmpty { updateMask.fieldPaths = event.updateMask.map(\.description) }
  }

  /// Creates a payload by decoding protobuf.
  ///
  /// - Parameter bytes: Protobuf, or protobuf as base64 text, which Google's emulator sends under
  ///   the same content type. The two can't be confused, because no field of this message begins
  ///   with a character of base64.
  /// - Throws: `INVALID_ARGUMENT` for other bytes, and for a message that is nested too deeply.
  init(protobuf bytes: Data) throws(StatusError) {
    let message = Data(base64Encoded: bytes) ?? bytes
    do {
      try self.init(serializedBytes: message)
    } catch BinaryDecodingError.messageDepthLimit {
      throw StatusError(.invalidArgument, "the event's data is nested too deeply")
    } catch {
      throw StatusError(.invalidArgument, "the event's data is not a DocumentEventData message")
    }
  }

  var protobuf: Data {
    get throws(StatusError) {
      var options = BinaryEncodingOptions()
      options.useDeterministicOrdering = true
      do {
        let bytes: [UInt8] = try serializedBytes(options: options)
        return Data(bytes)
      } catch {
        throw StatusError(.internal, "the event can't be encoded")
      }
    }
  }
}
