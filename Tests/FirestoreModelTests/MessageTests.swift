import FirestoreModel
import Platform
import RPCStatus
import TestKit
import Testing

struct MessageTests {
  static let name = "projects/p/databases/d/documents/c/x"

  @Test(
    arguments: [
      #"{"update":{"fields":{"a":{"integerValue":"1"}},"name":"\#(name)"}}"#,
      #"{"update":{"name":"\#(name)"},"updateMask":{"fieldPaths":["a","`b-c`.d"]}}"#,
      #"{"update":{"name":"\#(name)"},"updateMask":{"fieldPaths":[]}}"#,
      #"{"currentDocument":{"exists":false},"update":{"name":"\#(name)"}}"#,
      #"{"currentDocument":{"updateTime":"2026-11-21T08:30:00.123456Z"},"delete":"\#(name)"}"#,
      #"{"currentDocument":{"exists":true},"verify":"\#(name)"}"#,
      #"{"transform":{"document":"\#(name)","fieldTransforms":[{"fieldPath":"n","increment":"#
        + #"{"integerValue":"1"}}]}}"#,
      #"{"update":{"name":"\#(name)"},"updateTransforms":[{"fieldPath":"t","setToServerValue":"#
        + #""REQUEST_TIME"},{"fieldPath":"a","maximum":{"doubleValue":1.5}},{"fieldPath":"b","#
        + #""minimum":{"integerValue":"2"}},{"appendMissingElements":{"values":[{"stringValue":"x"}"#
        + #"]},"fieldPath":"c"},{"fieldPath":"d","removeAllFromArray":{"values":[]}}]}"#,
    ] as [String]
  )
  func `a write is read and written back`(json: String) throws {
    #expect(try text(decode(Write.self, json, refusingUnknownMembers: true)) == json)
  }

  @Test(
    arguments: [
      #"{"from":[]}"#,
      #"{"from":[{"collectionId":"c"}],"limit":0}"#,
      #"{"from":[{"allDescendants":true}]}"#,
      #"{"from":[{"allDescendants":true,"collectionId":"c"}],"limit":5,"offset":2,"orderBy":[{"#
        + #""direction":"DESCENDING","field":{"fieldPath":"a.b"}},{"field":{"fieldPath":"__name__"}"#
        + #"}],"select":{"fields":[{"fieldPath":"a"}]}}"#,
      #"{"endAt":{"values":[{"integerValue":"9"}]},"from":[{"collectionId":"c"}],"orderBy":[{"field""#
        + #":{"fieldPath":"a"}}],"startAt":{"before":true,"values":[{"integerValue":"1"}]}}"#,
      #"{"from":[{"collectionId":"c"}],"where":{"compositeFilter":{"filters":[{"fieldFilter":{"#
        + #""field":{"fieldPath":"a"},"op":"IN","value":{"arrayValue":{"values":[{"nullValue":null}]"#
        + #"}}}},{"unaryFilter":{"field":{"fieldPath":"b"},"op":"IS_NOT_NAN"}}],"op":"OR"}}}"#,
    ] as [String]
  )
  func `a query is read and written back`(json: String) throws {
    #expect(try text(decode(StructuredQuery.self, json, refusingUnknownMembers: true)) == json)
  }

  @Test(
    arguments: [
      #"{"createTime":"2026-11-21T08:30:00Z","fields":{"a":{"booleanValue":false}},"name":"\#(name)","#
        + #""updateTime":"2026-11-21T08:30:00.000001Z"}"#,
      #"{"name":"\#(name)"}"#,
    ] as [String]
  )
  func `a document is read and written back`(json: String) throws {
    #expect(try text(decode(Document.self, json, refusingUnknownMembers: true)) == json)
  }

  @Test(
    arguments: [
      #"{}"#, #"{"update":{"name":"\#(name)"},"delete":"\#(name)"}"#, #"{"update":{"name":"c/x"}}"#,
      #"{"delete":"\#(name)/c"}"#, #"{"delete":"\#(name)","currentDocument":{}}"#,
      #"{"delete":"\#(name)","currentDocument":{"exists":true,"updateTime":"2026-11-21T08:30:00Z"}}"#,
      #"{"transform":{"document":"\#(name)","fieldTransforms":[{"fieldPath":"a"}]}}"#,
      #"{"transform":{"document":"\#(name)","fieldTransforms":[{"fieldPath":"a","increment":"#
        + #"{"integerValue":"1"},"maximum":{"integerValue":"1"}}]}}"#,
      #"{"update":{"name":"\#(name)"},"updateMask":{"fieldPaths":["a-b"]}}"#,
    ] as [String]
  )
  func `a write without exactly one operation or with a bad name is refused`(json: String) {
    #expect(statusError { try decode(Write.self, json) }?.code == .invalidArgument)
  }

  @Test(
    arguments: [
      ("stringValu", #"{"update":{"name":"\#(name)","fields":{"a":{"stringValu":"x"}}}}"#),
      ("field", #"{"update":{"name":"\#(name)","fields":{"a":{"mapValue":{"field":{}}}}}}"#),
      ("value", #"{"update":{"name":"\#(name)","fields":{"a":{"arrayValue":{"value":[]}}}}}"#),
      ("lat", #"{"update":{"name":"\#(name)","fields":{"a":{"geoPointValue":{"lat":1}}}}}"#),
      ("field", #"{"update":{"name":"\#(name)","field":{}}}"#),
      ("mask", #"{"update":{"name":"\#(name)"},"mask":{}}"#),
      ("fieldPath", #"{"update":{"name":"\#(name)"},"updateMask":{"fieldPath":["a"]}}"#),
      ("exist", #"{"delete":"\#(name)","currentDocument":{"exist":true}}"#),
      ("fieldTransform", #"{"transform":{"document":"\#(name)","fieldTransform":[]}}"#),
      (
        "elements",
        #"{"update":{"name":"\#(name)"},"updateTransforms":[{"fieldPath":"a","#
          + #""removeAllFromArray":{"elements":[]}}]}"#
      ),
    ] as [(String, String)]
  )
  func `an unknown member of a write is named if it is to be refused`(member: String, json: String)
    throws
  {
    let error = statusError { try decode(Write.self, json, refusingUnknownMembers: true) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.hasSuffix(#"unknown name "\#(member)""#) == true)
  }

  @Test(
    arguments: [
      ("findNearest", #"{"from":[],"findNearest":{}}"#),
      ("collection", #"{"from":[{"collection":"c"}]}"#),
      ("fields", #"{"from":[],"orderBy":[{"field":{"fieldPath":"a"},"fields":[]}]}"#),
      ("path", #"{"from":[],"orderBy":[{"field":{"fieldPath":"a","path":"a"}}]}"#),
      ("after", #"{"from":[],"startAt":{"after":true}}"#),
      ("field", #"{"from":[],"select":{"field":[]}}"#),
      ("filter", #"{"from":[],"where":{"compositeFilter":{"op":"AND","filter":[]}}}"#),
      (
        "values",
        #"{"from":[],"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":"EQUAL","#
          + #""value":{"nullValue":null},"values":[]}}}"#
      ),
      (
        "value",
        #"{"from":[],"where":{"unaryFilter":{"field":{"fieldPath":"a"},"op":"IS_NULL","value":1}}}"#
      ),
    ] as [(String, String)]
  )
  func `an unknown member of a query is named if it is to be refused`(member: String, json: String)
    throws
  {
    let error = statusError {
      try decode(StructuredQuery.self, json, refusingUnknownMembers: true)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.hasSuffix(#"unknown name "\#(member)""#) == true)
  }

  @Test func `an unknown member is ignored unless it is to be refused`() throws {
    let json = #"{"name":"\#(Self.name)","fields":{},"newMember":[1,{"deep":2}]}"#
    #expect(try decode(Document.self, json).fields == [:])
    #expect(
      statusError { try decode(Document.self, json, refusingUnknownMembers: true) }?.message
        == #"the input is refused: unknown name "newMember""#
    )
  }

  @Test func `a mask keeps what it names and its nesting`() throws {
    let document = Document(
      name: try DocumentName(Self.name),
      fields: ["a": ["b": 1, "c": 2], "d": 3]
    )
    let mask = FieldMask([FieldPath("a", "b"), FieldPath("nowhere"), FieldPath("d", "e")])
    #expect(document.masked(by: mask).fields == ["a": ["b": 1]])
    #expect(document.masked(by: FieldMask([])).fields == [:])
    #expect(document.masked(by: nil) == document)
  }
}
