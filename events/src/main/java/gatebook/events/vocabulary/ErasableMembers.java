package gatebook.events.vocabulary;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import gatebook.events.call.Erasable;
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
      if (generator.getOutputTarget() instanceof SplitJson split
          && split.isSplit()
          && !isNothing(get(bean))) {
        generator.writeFieldName(placeName);
        if (isOriginal) {
          generator.writeNumber(split.addOriginal((String) get(bean)));
        } else {
          split.beginValue();
          serializeAsElement(bean, generator, serializers);
          split.endValue();
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
