// The entries of an outbox.

import { idOf } from "../../lib/firestore.js";

/**
 * Creates the entries of each kind: {id, kind, conversationId, messageId, writes, text?, clientTimestamp?}. `name` is
 * the message's name. A message with a file has `file`: {path, type, size}, later also the upload's `session`, and the
 * file's `link` once it is uploaded. The deletion of such a message has the file's `path`: the file is deleted after
 * the message.
 */
export const newEntry = {
  /** file is {path, type, size}, or null. */
  message({ id, conversationId, name, senderId, text, language, clientTimestamp, file = null }) {
    const fields = {
      senderId: { stringValue: senderId }, text: { stringValue: text }, status: { stringValue: "sent" },
      readBy: { arrayValue: {} }, clientTimestamp: { timestampValue: clientTimestamp },
      ...(language && { language: { stringValue: language }, languageSource: { stringValue: "client" } }),
      ...(file && { mediaType: { stringValue: file.type } }),
    };
    return {
      id, kind: "message", conversationId, messageId: id, text, clientTimestamp, ...(file && { file }),
      writes: [{
        update: { name, fields },
        updateTransforms: [{ fieldPath: "timestamp", setToServerValue: "REQUEST_TIME" }],
        currentDocument: { exists: false },
      }],
    };
  },

  /** isLast means that with this receipt every member has read the message. */
  receipt({ conversationId, name, reader, isLast }) {
    return {
      id: `receipt:${name}`, kind: "receipt", conversationId, messageId: idOf(name), name, reader, isLast,
      writes: [{
        update: { name, fields: isLast ? { status: { stringValue: "read" } } : {} },
        updateMask: { fieldPaths: isLast ? ["status"] : [] },
        updateTransforms: [{ fieldPath: "readBy", appendMissingElements: { values: [{ stringValue: reader }] } }],
        currentDocument: { exists: true },
      }],
    };
  },

  edit({ id, conversationId, name, text }) {
    return {
      id, kind: "edit", conversationId, messageId: idOf(name), text,
      writes: [{
        update: { name, fields: { text: { stringValue: text } } },
        updateMask: { fieldPaths: ["text"] },
        currentDocument: { exists: true },
      }],
    };
  },

  /** path is that of the file in Cloud Storage that is deleted with the message, or null. */
  deletion({ id, conversationId, name, path = null }) {
    return {
      id, kind: "deletion", conversationId, messageId: idOf(name), ...(path && { path }),
      writes: [{ delete: name, currentDocument: { exists: true } }],
    };
  },
};
