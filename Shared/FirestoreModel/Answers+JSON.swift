package import JSONCoding

extension CommitResponse: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    writeResults = try json.member("writeResults", isStrict: isStrict)
    commitTime = try json.requiredMember("commitTime", isStrict: isStrict)
  }
}

extension WriteResult: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    updateTime = try json.member("updateTime", isStrict: isStrict)
    transformResults = try json.member("transformResults", isStrict: isStrict)
  }
}

extension BatchGetDocumentsResponse: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    found = try json.member("found", isStrict: isStrict)
    missing = try json.member("missing", isStrict: isStrict)
    readTime = try json.member("readTime", isStrict: isStrict)
  }
}

extension RunQueryResponse: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    document = try json.member("document", isStrict: isStrict)
    readTime = try json.member("readTime", isStrict: isStrict)
  }
}

extension ErrorResponse.Body: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    code = try json.member("code", isStrict: isStrict)
    message = try json.member("message", isStrict: isStrict)
    status = try json.member("status", isStrict: isStrict)
  }
}
