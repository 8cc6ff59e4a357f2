package gatebook.api.flow;

import com.networknt.schema.dialect.DialectId;

/** The draft of JSON Schema that a schema without {@code $schema} is read by. */
enum SchemaDraft {

  /** For the schema that a task has. */
  DRAFT_7(DialectId.DRAFT_7),

  /** For the schema that a source declares for its tool. */
  DRAFT_2020_12(DialectId.DRAFT_2020_12);

  final String id;

  SchemaDraft(String id) {
    this.id = id;
  }
}
