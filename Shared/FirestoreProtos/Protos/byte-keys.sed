# Gives the maps of generated code keys that are told apart by their bytes: see ByteKeyField.swift.
s/Dictionary<String,/Dictionary<ByteKey,/g
s/Map<SwiftProtobuf\.ProtobufString,/Map<ByteKeyField,/g
s/^package import SwiftProtobuf/package import Platform\n&/
