package gatebook.api.flow;

import com.networknt.schema.dialect.DialectId;

/** The draft of JSON Schema that a schema is read by unless it names another one. */
enum SchemaDraft {
  /** Of tasks, whose owners are told what cannot be checked. */
  DRAFT_7(DialectId.DRAFT_7, false),

  /**
   * Of tools, whose schemas are not written for this gateway: they are checked as far as can be.
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
