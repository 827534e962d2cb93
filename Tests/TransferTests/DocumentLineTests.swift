import FirestoreModel
import JSONCoding
import Platform
import TestKit
import Testing

@testable import Transfer

/// Lines are read as they are written, and as others might write them.
struct DocumentLineTests {
  @Test(arguments: [5] as [UInt64])
  func `what is written is read`(seed: UInt64) throws {
    var generator = DocumentGenerator(seed: seed)
    for document in try generator.documents(200) {
      let line = try JSON.encode(DocumentLine(document))
      #expect(
        try DocumentLine(scanning: [UInt8](line)[...]).document(in: defaultDatabase) == document
      )
      // The same as what Firestore's own JSON is read by.
      let name = document.name.path.description
      let fields = try JSON.decode(Fields.self, from: JSON.encode(document.fields), what: name)
      #expect(fields == document.fields)
    }
  }

  @Test func `white space, order and escapes are free`() throws {
    let text = #"""
       { "fields" : { "a\u0062\/\"\\\b\f\n\r\t" : { "stringValue" : "\ud83d\ude00\u00e9é" } , "v" :
       { "arrayValue" : { "values" : [ { "booleanValue" : true } , { "booleanValue" : false } ] } } ,
       "g" : { "geoPointValue" : { } } , "m" : { "mapValue" : { } } , "e" : { "arrayValue" : { } } ,
       "d" : { "doubleValue" : -1.5E+2 } } , "name" : "c\/a" }
      """#
    let line = try DocumentLine(scanning: [UInt8](text.utf8)[...])
    #expect(line.name == "c/a")
    #expect(
      line.fields == [
        "ab/\"\\\u{8}\u{C}\n\r\t": "😀éé", "v": [true, false],
        "g": .geoPoint(latitude: 0, longitude: 0), "m": [:], "e": [], "d": .double(-150),
      ]
    )
    #expect(line.createTime == nil)
  }
}
