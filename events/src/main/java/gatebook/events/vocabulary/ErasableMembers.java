package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import gatebook.events.call.Erasable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the values of {@link Erasable} members apart from the other members. In their place is the
 * number of the value, under the member's name with a tilde before it.
 */
final class ErasableMembers extends BeanSerializerModifier {
  /** Before the name of a member that is content. */
  static final String MARK = "~";

  /** Before the name of a member that is content and an original. */
  static final String ORIGINAL_MARK = "~~";

  /**
   * The content of one event, as far as it is written: a JSON array of the values, then each
   * original in UTF-8 behind its length in four bytes. Originals are texts of any size; as JSON in
   * JSON they would grow.
   */
  static final class Content {
    private final StringWriter text = new StringWriter();
    private final JsonGenerator generator;
    private final List<String> originals = new ArrayList<>();
    private int count;

    Content() {
      try {
        generator = EventJson.mapper().createGenerator(text);
        generator.writeStartArray();
      } catch (IOException e) {
        throw new IllegalStateException("a text in memory can always be written", e);
      }
    }

    boolean isEmpty() {
      return count == 0 && originals.isEmpty();
    }

    private int add(String original) {
      originals.add(original);
      return originals.size() - 1;
    }

    /** Whether a reader gets the same texts: a lone surrogate is written as a question mark. */
    boolean isLossless() throws IOException {
      generator.flush();
      return Surrogates.arePaired(text.getBuffer())
          && originals.stream().allMatch(Surrogates::arePaired);
    }

    /** The whole content; nothing can be added any more. */
    byte[] bytes() throws IOException {
      generator.close();
      byte[] json = text.toString().getBytes(UTF_8);
      if (originals.isEmpty()) {
        return json;
      }
      var bytes =
          new ByteArrayOutputStream(json.length + Integer.BYTES + originals.getFirst().length());
      bytes.writeBytes(json);
      for (String original : originals) {
        byte[] utf8 = original.getBytes(UTF_8);
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(utf8.length).array());
        bytes.writeBytes(utf8);
      }
      return bytes.toByteArray();
    }
  }

  @Override
  public List<BeanPropertyWriter> changeProperties(
      SerializationConfig config, BeanDescription type, List<BeanPropertyWriter> properties) {
    properties.replaceAll(property ->
        erasable(property)
            .<BeanPropertyWriter>map(it -> new Writer(property, it.isOriginal()))
            .orElse(property));
    return properties;
  }

  private static Optional<Erasable> erasable(BeanPropertyWriter property) {
    return Optional.ofNullable(EventJson.component(property.getMember()))
        .map(component -> component.getAnnotation(Erasable.class));
  }

  private static final class Writer extends BeanPropertyWriter {
    private static final long serialVersionUID = 1;

    private final boolean isOriginal;
    private final String placeName;

    Writer(BeanPropertyWriter property, boolean isOriginal) {
      super(property);
      this.isOriginal = isOriginal;
      this.placeName = (isOriginal ? ORIGINAL_MARK : MARK) + property.getName();
    }

    @Override
    public void serializeAsField(
        Object bean, JsonGenerator generator, SerializerProvider serializers) throws Exception {
      if (serializers.getAttribute(Content.class) instanceof Content content
          && !generator.equals(content.generator)
          && !isNothing(get(bean))) {
        generator.writeFieldName(placeName);
        if (isOriginal) {
          generator.writeNumber(content.add((String) get(bean)));
        } else {
          generator.writeNumber(content.count++);
          serializeAsElement(bean, content.generator, serializers);
        }
      } else {
        super.serializeAsField(bean, generator, serializers);
      }
    }

    private static boolean isNothing(@Nullable Object value) {
      return switch (value) {
        case null -> true;
        case Collection<?> values -> values.isEmpty();
        case Map<?, ?> values -> values.isEmpty();
        default -> false;
      };
    }
  }
}
