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

/** A schema that policies are checked against. */
final class CedarSchema {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OWN = readOwn();

  private final Schema schema;

  private CedarSchema(Schema schema) {
    this.schema = schema;
  }

  /** Ours: what a question consists of. */
  static CedarSchema own() {
    return new CedarSchema(new Schema(OWN));
  }

  /** That of this text, in either of the engine's two forms; it may still be unreadable. */
  static CedarSchema of(String text) throws JsonProcessingException {
    boolean isJson = text.stripLeading().startsWith("{");
    return new CedarSchema(isJson ? new Schema(JSON.readTree(text)) : new Schema(text));
  }

  /** The whole of it in the engine's JSON form. */
  JsonNode tree() throws InternalException, JsonProcessingException {
    return schema.toJsonFormat();
  }

  /** That of this tree. */
  static CedarSchema of(JsonNode tree) {
    return new CedarSchema(new Schema(tree));
  }

  /** What the engine makes of these policies by this schema. */
  ValidationResponse check(PolicySet policies) throws AuthException {
    return CedarEngine.loaded().validate(new ValidationRequest(schema, policies));
  }

  /** What keeps these policies, or the schema itself, from being read; empty when all can be. */
  List<DetailedError> unreadable(PolicySet policies) throws AuthException {
    ValidationResponse response = check(policies);
    return response.errors.isPresent() ? response.errors.get() : List.of();
  }

  private static String readOwn() {
    try (InputStream in = CedarSchema.class.getResourceAsStream("thoughtgate.cedarschema")) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
