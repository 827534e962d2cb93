import Core
import FirestoreModel
import FirestoreProtos
import FunctionRuntime
import SwiftProtobuf

/// The payload of a document's event, as protobuf and as JSON.
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

  /// - Parameter bytes: protobuf, or its base64 text: Google's emulator sends that under the same
  ///   name. None of this message's fields begins with a byte of base64.
  /// - Throws: `INVALID_ARGUMENT` for anything else, and for what is nested too deeply.
  init(protobuf bytes: Data) throws(StatusError) {
    let message = Data(base64Encoded: bytes) ?? bytes
    do {
      try self.init(serializedBytes: message)
    } catch BinaryDecodingError.messageDepthLimit {
      throw StatusError(.invalidArgument, "the event's data is nested too deeply")
    } catch {
      throw StatusError(.invalidArgument, "the event's data is no DocumentEventData in protobuf")
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
