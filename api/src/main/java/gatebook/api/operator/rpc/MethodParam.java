package gatebook.api.operator.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.call.approval.DecideApproval;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.tree.TreeStatus;
import gatebook.query.Views;
import gatebook.query.approvals.ApprovalQueries;
import gatebook.query.call.CallStatus;
import gatebook.query.errors.Counted;
import gatebook.query.errors.ErrorDimension;
import gatebook.query.errors.ErrorQueries;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** One declared param of an operator method: its name, its type and its description. */
public record MethodParam(String name, Type type, boolean required, String description) {

  public static final int TEXT_CHARS_MAX = 1_024;
  static final int NOTES_MAX = 64;
  static final int NOTE_CHARS_MAX = 16_384;

  private static final Pattern CALL_ID_TEXT =
      Pattern.compile(
          "^[ \\t\\r\\n]*[0-9A-Fa-f]{8}(-?[0-9A-Fa-f]{4}){3}-?[0-9A-Fa-f]{12}[ \\t\\r\\n]*$");

  /** Anything but blanks and control characters; the pattern means the same in JSON Schema. */
  private static final Pattern VISIBLE = Pattern.compile("[^\\x00-\\x20]");

  /** A position, which is the only text used as a cursor. */
  private static final Pattern CURSOR_TEXT = Pattern.compile("^[1-9][0-9]{0,17}$");

  private static final Pattern FINGERPRINT_TEXT = Pattern.compile(ErrorQueries.FINGERPRINT_TEXT);

  /** The type of a param: the values it accepts, and their JSON Schema. */
  public enum Type {
    TEXT("a string of 1 to " + TEXT_CHARS_MAX + " characters") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isTextual()
            && VISIBLE.matcher(value.textValue()).find()
            && isWithin(TEXT_CHARS_MAX, value);
      }

      @Override
      public ObjectNode schema() {
        return schemaOf("string")
            .put("pattern", VISIBLE.pattern())
            .put("maxLength", TEXT_CHARS_MAX);
      }
    },
    /** A text of any size that fits in a message. It may have secrets, so it is never recorded. */
    SECRET_TEXT("a string") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isTextual();
      }

      @Override
      public ObjectNode schema() {
        return schemaOf("string");
      }

      @Override
      boolean isSecret() {
        return true;
      }
    },
    POSITION("a whole number from 0") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
      }

      @Override
      public ObjectNode schema() {
        return schemaOf("integer").put("minimum", 0).put("maximum", Long.MAX_VALUE);
      }
    },
    CALL_ID("the id of a call: 32 hex digits, with dashes or without") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isTextual() && CALL_ID_TEXT.matcher(value.textValue()).matches();
      }

      @Override
      public ObjectNode schema() {
        return schemaOf("string").put("pattern", CALL_ID_TEXT.pattern());
      }
    },
    REASON("a text of 1 to " + DecideApproval.REASON_BYTES_MAX + " bytes in UTF-8") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isTextual()
            && VISIBLE.matcher(value.textValue()).find()
            && value.textValue().getBytes(UTF_8).length <= DecideApproval.REASON_BYTES_MAX;
      }

      // the limit is in bytes, which JSON Schema cannot express
      @Override
      public ObjectNode schema() {
        return schemaOf("string")
            .put("pattern", VISIBLE.pattern())
            .put("maxLength", DecideApproval.REASON_BYTES_MAX);
      }
    },
    PAGE("a whole number from 1 to " + ApprovalQueries.PAGE_MAX) {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isIntegralNumber()
            && value.canConvertToInt()
            && value.intValue() >= 1
            && value.intValue() <= ApprovalQueries.PAGE_MAX;
      }

      @Override
      public ObjectNode schema() {
        return schemaOf("integer").put("minimum", 1).put("maximum", ApprovalQueries.PAGE_MAX);
      }
    },
    TIME("a time as in 2026-01-02T03:04:05Z") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isTextual() && TimeText.parse(value.textValue()).isPresent();
      }

      @Override
      public ObjectNode schema() {
        return schemaOf("string").put("format", "date-time");
      }
    },
    BOOLEAN("true or false") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isBoolean();
      }

      @Override
      public ObjectNode schema() {
        return schemaOf("boolean");
      }
    },
    CODE("an integer error code") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToInt();
      }

      @Override
      public ObjectNode schema() {
        return schemaOf("integer")
            .put("minimum", Integer.MIN_VALUE)
            .put("maximum", Integer.MAX_VALUE);
      }
    },
    CURSOR("the cursor of the previous page") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isTextual() && CURSOR_TEXT.matcher(value.textValue()).matches();
      }

      @Override
      public ObjectNode schema() {
        return schemaOf("string").put("pattern", CURSOR_TEXT.pattern());
      }
    },
    CODE_OR_NULL("an integer error code, or no value") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isNull() || CODE.accepts(value);
      }

      @Override
      public ObjectNode schema() {
        return orNull(CODE.schema());
      }
    },
    ERROR_CODE("an integer error code, \"" + ErrorQueries.OTHER_CODE + "\" or no value") {
      @Override
      public boolean accepts(JsonNode value) {
        return CODE_OR_NULL.accepts(value)
            || (value.isTextual() && value.textValue().equals(ErrorQueries.OTHER_CODE));
      }

      @Override
      public ObjectNode schema() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema
            .putArray("oneOf")
            .add(CODE_OR_NULL.schema())
            .addObject()
            .put("const", ErrorQueries.OTHER_CODE);
        return schema;
      }
    },
    TEXT_OR_NULL("a string of 1 to " + TEXT_CHARS_MAX + " characters, or no value") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isNull() || TEXT.accepts(value);
      }

      @Override
      public ObjectNode schema() {
        return orNull(TEXT.schema());
      }
    },
    FINGERPRINT("the fingerprint of a group of audit.errors") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isTextual() && FINGERPRINT_TEXT.matcher(value.textValue()).matches();
      }

      @Override
      public ObjectNode schema() {
        return schemaOf("string").put("pattern", FINGERPRINT_TEXT.pattern());
      }
    },
    GATE_OR_NULL("a gate, or no value") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isNull() || GATE.accepts(value);
      }

      @Override
      public ObjectNode schema() {
        return orNull(GATE.schema());
      }
    },
    DIALECT_OR_NULL("a dialect, or no value") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isNull() || DIALECT.accepts(value);
      }

      @Override
      public ObjectNode schema() {
        return orNull(DIALECT.schema());
      }
    },
    REASON_WORD(Arrays.stream(DenialReason.values()).map(DenialReason::word).toList()),
    STATUS(Arrays.stream(CallStatus.values()).map(CallStatus::word).toList()),
    GATE(Arrays.stream(Gate.values()).map(Gate::word).toList()),
    DIALECT(Arrays.stream(Dialect.values()).map(Dialect::word).toList()),
    VIEW(Views.NAMES),
    TREE_STATUS(Arrays.stream(TreeStatus.values()).map(TreeStatus::word).toList()),
    DIMENSIONS("an array of some of " + String.join(", ", dimensions())) {
      @Override
      public boolean accepts(JsonNode value) {
        return isSetOf(dimensions(), value);
      }

      @Override
      public ObjectNode schema() {
        return setSchema(dimensions());
      }
    },
    ERROR_DIMENSIONS("an array of some of " + String.join(", ", errorDimensions())) {
      @Override
      public boolean accepts(JsonNode value) {
        return isSetOf(errorDimensions(), value);
      }

      @Override
      public ObjectNode schema() {
        return setSchema(errorDimensions());
      }
    },
    NOTES("an array of at most " + NOTES_MAX + " signed notes") {
      @Override
      public boolean accepts(JsonNode value) {
        return value.isArray()
            && value.size() <= NOTES_MAX
            && StreamSupport.stream(value.spliterator(), false)
                .allMatch(it -> it.isTextual() && isWithin(NOTE_CHARS_MAX, it));
      }

      @Override
      public ObjectNode schema() {
        ObjectNode schema = schemaOf("array").put("maxItems", NOTES_MAX);
        schema.set("items", schemaOf("string").put("maxLength", NOTE_CHARS_MAX));
        return schema;
      }
    };

    private final String words;

    /** The accepted words; null for types that accept other values. */
    @SuppressWarnings("ImmutableEnumChecker") // a list of constants, and a copy
    private final @Nullable List<String> choices;

    Type(String words) {
      this.words = words;
      this.choices = null;
    }

    /** A type that accepts one of these words. */
    Type(List<String> few) {
      this.words = "one of " + String.join(", ", few);
      this.choices = List.copyOf(few);
    }

    /** The accepted values, worded for an error message. */
    public String expected() {
      return words;
    }

    public boolean accepts(JsonNode value) {
      return choices != null && value.isTextual() && choices.contains(value.textValue());
    }

    /** Whether values may have secrets, so that only their digests are recorded. */
    boolean isSecret() {
      return false;
    }

    /** The accepted values as JSON Schema. */
    public ObjectNode schema() {
      ObjectNode schema = schemaOf("string");
      if (choices != null) {
        choices.forEach(schema.putArray("enum")::add);
      }
      return schema;
    }

    private static boolean isSetOf(List<String> words, JsonNode value) {
      return value.isArray()
          && StreamSupport.stream(value.spliterator(), false)
              .allMatch(it -> it.isTextual() && words.contains(it.textValue()))
          && StreamSupport.stream(value.spliterator(), false).distinct().count() == value.size();
    }

    private static ObjectNode setSchema(List<String> words) {
      ObjectNode schema = schemaOf("array").put("uniqueItems", true);
      words.forEach(schema.putObject("items").put("type", "string").putArray("enum")::add);
      return schema;
    }

    private static boolean isWithin(int charsMax, JsonNode value) {
      String text = value.textValue();
      return text.codePointCount(0, text.length()) <= charsMax;
    }

    /** The schema that also allows null. */
    private static ObjectNode orNull(ObjectNode schema) {
      String type = schema.path("type").textValue();
      schema.putArray("type").add(type).add("null");
      if (schema.get("enum") instanceof ArrayNode words) {
        words.addNull();
      }
      return schema;
    }

    private static ObjectNode schemaOf(String type) {
      return JsonNodeFactory.instance.objectNode().put("type", type);
    }
  }

  private static List<String> dimensions() {
    return Counted.DENIALS.dimensions().stream().map(ErrorDimension::word).toList();
  }

  private static List<String> errorDimensions() {
    return Counted.ERRORS.dimensions().stream().map(ErrorDimension::word).toList();
  }

  public static MethodParam required(String name, Type type, String description) {
    return new MethodParam(name, type, true, description);
  }

  public static MethodParam optional(String name, Type type, String description) {
    return new MethodParam(name, type, false, description);
  }
}
