package gatebook.events.vocabulary;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MutableCoercionConfig;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.type.LogicalType;
import gatebook.events.call.Erasable;
import gatebook.events.call.Ruling;
import gatebook.events.call.UnlimitedJson;
import gatebook.events.call.UtcTime;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Fault;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Configures the JSON form of events: members in the order of the record, absent values left out,
 * empty collections written, maps sorted by key, times as RFC 3339 in UTC.
 */
final class EventJson {
  private static final JsonInclude.Value ABSENT_LEFT_OUT =
      JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS);

  /** One for the process: it finds the members of a record by reflection, once. */
  private static final ObjectMapper MAPPER = newMapper();

  private EventJson() {}

  static ObjectMapper mapper() {
    return MAPPER;
  }

  private static ObjectMapper newMapper() {
    return JsonMapper.builder(UnlimitedJson.factory())
        .annotationIntrospector(new RequiredUnlessNullable())
        .addModule(scalars().setSerializerModifier(new ErasableMembers()))
        .defaultPropertyInclusion(ABSENT_LEFT_OUT)
        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
        .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .withCoercionConfig(LogicalType.Textual, EventJson::refuseOtherScalars)
        .registerSubtypes(kinds(Fault.class, Ruling.class, Verdict.class))
        .build();
  }

  private static void refuseOtherScalars(MutableCoercionConfig text) {
    text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
  }

  private static NamedType[] kinds(Class<?>... families) {
    return Arrays.stream(families)
        .flatMap(SealedFamilies::leaves)
        .map(type -> new NamedType(type, kind(type)))
        .toArray(NamedType[]::new);
  }

  private static String kind(Class<?> type) {
    var given = type.getAnnotation(JsonTypeName.class);
    return given == null ? type.getSimpleName() : given.value();
  }

  private static SimpleModule scalars() {
    return new SimpleModule()
        .addSerializer(Instant.class, new InstantWriter())
        .addSerializer(LocalDate.class, ToStringSerializer.instance)
        .addSerializer(UUID.class, ToStringSerializer.instance) // Jackson's own flushes the buffer
        .addDeserializer(LocalDate.class, new DayReader())
        .addDeserializer(Instant.class, new InstantReader());
  }

  /**
   * A record's component must be present and not null, unless it is {@code @Nullable}, or content
   * that may be unreadable.
   */
  private static final class RequiredUnlessNullable extends JacksonAnnotationIntrospector {
    @Override
    public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
      var component = component(member);
      if (component == null) {
        return super.hasRequiredMarker(member);
      }
      return !isNullable(component) && !isErasable(component);
    }

    @Override
    public JsonSetter.Value findSetterInfo(Annotated annotated) {
      var component = annotated instanceof AnnotatedMember member ? component(member) : null;
      if (component == null || isNullable(component)) {
        return super.findSetterInfo(annotated);
      }
      return JsonSetter.Value.forValueNulls(isErasable(component) ? Nulls.AS_EMPTY : Nulls.FAIL);
    }

    @Override
    public @Nullable Object findDeserializer(Annotated annotated) {
      var component = annotated instanceof AnnotatedMember member ? component(member) : null;
      return component != null
              && isErasable(component)
              && !isNullable(component)
              && component.getType() == String.class
          ? new ErasableTextReader()
          : super.findDeserializer(annotated);
    }

    private static boolean isNullable(RecordComponent component) {
      return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
  }

  /** The component of a record that a member of its JSON is; null when it is none. */
  static @Nullable RecordComponent component(AnnotatedMember member) {
    var components = member.getDeclaringClass().getRecordComponents();
    if (components == null) {
      return null;
    }
    if (member instanceof AnnotatedParameter parameter) {
      return parameter.getOwner().getParameterCount() == components.length
          ? components[parameter.getIndex()]
          : null;
    }
    return Arrays.stream(components)
        .filter(component -> component.getName().equals(member.getName()))
        .findFirst()
        .orElse(null);
  }

  static boolean isErasable(RecordComponent component) {
    return component.isAnnotationPresent(Erasable.class);
  }

  /** Reads a text that may not be absent, but that may be unreadable. */
  private static final class ErasableTextReader extends StringDeserializer {
    private static final long serialVersionUID = 1;

    @Override
    public Object getEmptyValue(DeserializationContext context) {
      return Erasable.UNREADABLE;
    }
  }

  private static final class InstantWriter extends StdScalarSerializer<Instant> {
    InstantWriter() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant at, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      generator.writeString(at.toString());
    }
  }

  private static final class DayReader extends StdScalarDeserializer<LocalDate> {
    DayReader() {
      super(LocalDate.class);
    }

    @Override
    public LocalDate deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      var text = parser.getText();
      try {
        return LocalDate.parse(text);
      } catch (DateTimeException _) {
        return (LocalDate) context.handleWeirdStringValue(LocalDate.class, text, "not a day");
      }
    }
  }

  private static final class InstantReader extends StdScalarDeserializer<Instant> {
    InstantReader() {
      super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      var text = parser.getText();
      try {
        return UtcTime.parse(text);
      } catch (DateTimeException _) {
        return (Instant)
            context.handleWeirdStringValue(Instant.class, text, "not a time in RFC 3339");
      }
    }
  }
}
