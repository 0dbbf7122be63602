import {
  require_dist
} from "./shared-yaml.js";
import {
  __toESM
} from "./core.js";

// package:yaml
var import_yaml = __toESM(require_dist());
var export_Alias = import_yaml.Alias;
var export_CST = import_yaml.CST;
var export_Composer = import_yaml.Composer;
var export_Document = import_yaml.Document;
var export_Lexer = import_yaml.Lexer;
var export_LineCounter = import_yaml.LineCounter;
var export_Pair = import_yaml.Pair;
var export_Parser = import_yaml.Parser;
var export_Scalar = import_yaml.Scalar;
var export_Schema = import_yaml.Schema;
var export_YAMLError = import_yaml.YAMLError;
var export_YAMLMap = import_yaml.YAMLMap;
var export_YAMLParseError = import_yaml.YAMLParseError;
var export_YAMLSeq = import_yaml.YAMLSeq;
var export_YAMLWarning = import_yaml.YAMLWarning;
var export_default = import_yaml.default;
var export_isAlias = import_yaml.isAlias;
var export_isCollection = import_yaml.isCollection;
var export_isDocument = import_yaml.isDocument;
var export_isMap = import_yaml.isMap;
var export_isNode = import_yaml.isNode;
var export_isPair = import_yaml.isPair;
var export_isScalar = import_yaml.isScalar;
var export_isSeq = import_yaml.isSeq;
var export_parse = import_yaml.parse;
var export_parseAllDocuments = import_yaml.parseAllDocuments;
var export_parseDocument = import_yaml.parseDocument;
var export_stringify = import_yaml.stringify;
var export_visit = import_yaml.visit;
var export_visitAsync = import_yaml.visitAsync;
export {
  export_Alias as Alias,
  export_CST as CST,
  export_Composer as Composer,
  export_Document as Document,
  export_Lexer as Lexer,
  export_LineCounter as LineCounter,
  export_Pair as Pair,
  export_Parser as Parser,
  export_Scalar as Scalar,
  export_Schema as Schema,
  export_YAMLError as YAMLError,
  export_YAMLMap as YAMLMap,
  export_YAMLParseError as YAMLParseError,
  export_YAMLSeq as YAMLSeq,
  export_YAMLWarning as YAMLWarning,
  export_default as default,
  export_isAlias as isAlias,
  export_isCollection as isCollection,
  export_isDocument as isDocument,
  export_isMap as isMap,
  export_isNode as isNode,
  export_isPair as isPair,
  export_isScalar as isScalar,
  export_isSeq as isSeq,
  export_parse as parse,
  export_parseAllDocuments as parseAllDocuments,
  export_parseDocument as parseDocument,
  export_stringify as stringify,
  export_visit as visit,
  export_visitAsync as visitAsync
};
