// Made by Scripts/generate-interface-tests from Fixtures/API/swift-api.md. Do not edit.
/// CRC-32 of the document that the other files here were made from.
let interfaceDocumentCRC: UInt32 = 0x666D2ACE
