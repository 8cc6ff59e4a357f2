package gatebook.command.inspect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import gatebook.command.redact.Scrubber;
import gatebook.command.redact.SecretKind;
import gatebook.events.call.JsonValue;
import gatebook.events.call.UnlimitedJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An inspector that refuses calls whose arguments carry a secret credential, in a name or a value
 * at any depth: people read a call's arguments, and other systems store them. A value that only
 * looks random, or whose name says it is secret, passes: some tools exist to check digests and
 * passwords.
 */
final class SecretsInspector implements Inspector {

  static final String NAME = "secrets";

  private static final JsonFactory FACTORY = UnlimitedJson.factory();

  private final Scrubber scrubber;

  SecretsInspector(Scrubber scrubber) {
    this.scrubber = scrubber;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public InspectorFinding inspect(InspectedCall call) {
    JsonValue arguments = call.arguments();
    String reason = arguments == null ? null : reason(arguments);
    return reason == null ? new InspectorFinding.Clean() : new InspectorFinding.Refused(reason);
  }

  private @Nullable String reason(JsonValue arguments) {
    try (JsonParser parser = FACTORY.createParser(arguments.toString())) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        Optional<SecretKind> kind =
            isText(token) ? scrubber.findCredential(parser.getText()) : Optional.empty();
        if (kind.isPresent()) {
          return reason(kind.get(), token, parser.getParsingContext());
        }
      }
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot parse the arguments, which were valid JSON on receipt", e);
    }
  }

  private static boolean isText(JsonToken token) {
    return token == JsonToken.FIELD_NAME || token == JsonToken.VALUE_STRING;
  }

  /** A member's name is checked before anything below it, so no pointer contains a credential. */
  private String reason(SecretKind secretKind, JsonToken token, JsonStreamContext place) {
    return token == JsonToken.FIELD_NAME
        ? "%s as a member's name at %s".formatted(secretKind.description(), pointer(parent(place)))
        : "%s at %s".formatted(secretKind.description(), pointer(place));
  }

  private static JsonStreamContext parent(JsonStreamContext place) {
    JsonStreamContext parent = place.getParent();
    return parent == null ? place : parent;
  }

  private String pointer(JsonStreamContext place) {
    String pointer =
        Arrays.stream(place.pathAsPointer().toString().split("/", -1))
            .map(scrubber::scrub)
            .collect(Collectors.joining("/"));
    return pointer.isEmpty() ? "the top" : pointer;
  }
}
