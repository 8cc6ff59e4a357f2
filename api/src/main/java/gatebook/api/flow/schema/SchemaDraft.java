package gatebook.api.flow.schema;

import com.networknt.schema.dialect.DialectId;

/** The draft of JSON Schema that a schema is read by unless it names another one. */
public enum SchemaDraft {
  /** For tasks: their owners get an error for what cannot be checked. */
  DRAFT_7(DialectId.DRAFT_7, false),

  /**
   * For tools: their schemas are not written for this gateway, and are checked as far as possible.
   */
  DRAFT_2020_12(DialectId.DRAFT_2020_12, true);

  final String id;

  /** Whether patterns that are not supported match any text, where that refuses nothing. */
  final boolean ignoresPatterns;

  SchemaDraft(String id, boolean ignoresPatterns) {
    this.id = id;
    this.ignoresPatterns = ignoresPatterns;
  }
}
