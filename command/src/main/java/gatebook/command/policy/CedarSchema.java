package gatebook.command.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.cedarpolicy.model.DetailedError;
import com.cedarpolicy.model.ValidationRequest;
import com.cedarpolicy.model.ValidationResponse;
import com.cedarpolicy.model.exception.AuthException;
import com.cedarpolicy.model.exception.InternalException;
import com.cedarpolicy.model.policy.PolicySet;
import com.cedarpolicy.model.schema.Schema;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** A Cedar schema that policies are validated against. */
final class CedarSchema {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BUILT_IN = readBuiltIn();

  private final Schema schema;

  private CedarSchema(Schema schema) {
    this.schema = schema;
  }

  /** The built-in schema: the entities and the context of a question. */
  static CedarSchema builtIn() {
    return new CedarSchema(new Schema(BUILT_IN));
  }

  /** Takes the text in either of the engine's two formats; parse errors come up later. */
  static CedarSchema of(String text) throws JsonProcessingException {
    boolean isJson = text.stripLeading().startsWith("{");
    return new CedarSchema(isJson ? new Schema(JSON.readTree(text)) : new Schema(text));
  }

  /** The schema in the engine's JSON form. */
  JsonNode tree() throws InternalException, JsonProcessingException {
    return schema.toJsonFormat();
  }

  static CedarSchema of(JsonNode tree) {
    return new CedarSchema(new Schema(tree));
  }

  /** Has the engine validate the policies against this schema. */
  ValidationResponse validate(PolicySet policies) throws AuthException {
    return CedarEngine.instance().validate(new ValidationRequest(schema, policies));
  }

  /** The parse errors of the policies and of the schema itself. */
  List<DetailedError> parseErrors(PolicySet policies) throws AuthException {
    ValidationResponse response = validate(policies);
    return response.errors.isPresent() ? response.errors.get() : List.of();
  }

  private static String readBuiltIn() {
    try (InputStream in = CedarSchema.class.getResourceAsStream("thoughtgate.cedarschema")) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
