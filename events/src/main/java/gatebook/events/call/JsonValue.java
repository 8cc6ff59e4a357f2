package gatebook.events.call;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value as text without whitespace. Members keep their order and numbers their digits, so
 * that a value is shown exactly as it was recorded; two values are equal when their texts are.
 */
@JsonSerialize(using = JsonValue.Writer.class)
@JsonDeserialize(using = JsonValue.Reader.class)
public final class JsonValue {
  private static final JsonFactory FACTORY = UnlimitedJson.factory();

  private final String text;

  private JsonValue(String text) {
    this.text = text;
  }

  /**
   * Reads exactly one JSON value.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static JsonValue parse(String text) {
    try (var parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new IllegalArgumentException("not JSON: empty");
      }
      var jsonValue = new JsonValue(copy(parser));
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("not JSON: more than one value");
      }
      return jsonValue;
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON", e);
    }
  }

  /**
   * The value with this text, which must be one JSON value without whitespace: nothing reads it.
   */
  public static JsonValue ofText(String text) {
    return new JsonValue(text);
  }

  /** The JSON text. */
  @Override
  public String toString() {
    return text;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonValue jsonValue && jsonValue.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Source of one JSON value. */
  @FunctionalInterface
  public interface Source {
    void writeTo(JsonGenerator generator) throws IOException;
  }

  /**
   * The value that the source writes. Raw text is copied as it is, so it must come from a {@link
   * JsonValue}.
   */
  public static JsonValue written(Source source) {
    try {
      return new JsonValue(text(source));
    } catch (IOException e) {
      throw new UncheckedIOException("the source does not write JSON", e);
    }
  }

  private static String text(Source source) throws IOException {
    var text = new StringWriter();
    try (var generator = FACTORY.createGenerator(text)) {
      source.writeTo(generator);
    }
    return text.toString();
  }

  private static String copy(JsonParser parser) throws IOException {
    return text(generator -> {
      int depth = 0;
      do {
        depth += depthChange(parser.currentToken());
        copyToken(parser, generator);
      } while (depth > 0 && parser.nextToken() != null);
    });
  }

  private static int depthChange(JsonToken token) {
    return token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
  }

  private static void copyToken(JsonParser parser, JsonGenerator generator) throws IOException {
    if (parser.currentToken().isNumeric()) {
      generator.writeNumber(parser.getText()); // by value, 1.50 would come back as 1.5
    } else {
      generator.copyCurrentEvent(parser);
    }
  }

  static final class Writer extends StdSerializer<JsonValue> {
    Writer() {
      super(JsonValue.class);
    }

    @Override
    public void serialize(JsonValue jsonValue, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      generator.writeRawValue(jsonValue.text);
    }
  }

  static final class Reader extends StdDeserializer<JsonValue> {
    Reader() {
      super(JsonValue.class);
    }

    @Override
    public JsonValue deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return new JsonValue(copy(parser));
    }

    @Override
    public JsonValue getNullValue(DeserializationContext context) {
      return new JsonValue("null"); // JSON's null is a value; only an absent member is null in Java
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
      return null;
    }
  }
}
