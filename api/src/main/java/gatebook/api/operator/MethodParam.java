package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.call.DecideApproval;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.query.Views;
import gatebook.query.approvals.ApprovalQueries;
import gatebook.query.calls.CallStatus;
import gatebook.query.denials.DenialDimension;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** One member of a method's params: what it is called, what it takes, and how it is described. */
record MethodParam(String name, Type type, boolean required, String description) {

  static final int TEXT_CHARS_MAX = 1_024;
  static final int NOTES_MAX = 64;
  static final int NOTE_CHARS_MAX = 16_384;

  private static final Pattern CALL_ID_TEXT =
      Pattern.compile(
          "^[ \\t\\r\\n]*[0-9A-Fa-f]{8}(-?[0-9A-Fa-f]{4}){3}-?[0-9A-Fa-f]{12}[ \\t\\r\\n]*$");

  /** Anything but blanks and control characters; it means the same in JSON Schema. */
  private static final Pattern VISIBLE = Pattern.compile("[^\\x00-\\x20]");

  /** A position; no other text was ever given out. */
  private static final Pattern CURSOR_TEXT = Pattern.compile("^[1-9][0-9]{0,17}$");

  /** What a member takes. */
  enum Type {
    TEXT("a string of 1 to " + TEXT_CHARS_MAX + " characters") {
      @Override
      boolean takes(JsonNode value) {
        return value.isTextual()
            && VISIBLE.matcher(value.textValue()).find()
            && isWithin(TEXT_CHARS_MAX, value);
      }

      @Override
      ObjectNode schema() {
        return typed("string").put("pattern", VISIBLE.pattern()).put("maxLength", TEXT_CHARS_MAX);
      }
    },
    POSITION("a whole number from 0") {
      @Override
      boolean takes(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
      }

      @Override
      ObjectNode schema() {
        return typed("integer").put("minimum", 0).put("maximum", Long.MAX_VALUE);
      }
    },
    CALL_ID("the id of a call: 32 hex digits, with dashes or without") {
      @Override
      boolean takes(JsonNode value) {
        return value.isTextual() && CALL_ID_TEXT.matcher(value.textValue()).matches();
      }

      @Override
      ObjectNode schema() {
        return typed("string").put("pattern", CALL_ID_TEXT.pattern());
      }
    },
    REASON("a text of 1 to " + DecideApproval.REASON_BYTES_MAX + " bytes in UTF-8") {
      @Override
      boolean takes(JsonNode value) {
        return value.isTextual()
            && VISIBLE.matcher(value.textValue()).find()
            && value.textValue().getBytes(UTF_8).length <= DecideApproval.REASON_BYTES_MAX;
      }

      // that it is bytes which are bounded, a schema cannot say
      @Override
      ObjectNode schema() {
        return typed("string")
            .put("pattern", VISIBLE.pattern())
            .put("maxLength", DecideApproval.REASON_BYTES_MAX);
      }
    },
    PAGE("a whole number from 1 to " + ApprovalQueries.PAGE_MAX) {
      @Override
      boolean takes(JsonNode value) {
        return value.isIntegralNumber()
            && value.canConvertToInt()
            && value.intValue() >= 1
            && value.intValue() <= ApprovalQueries.PAGE_MAX;
      }

      @Override
      ObjectNode schema() {
        return typed("integer").put("minimum", 1).put("maximum", ApprovalQueries.PAGE_MAX);
      }
    },
    TIME("a time as in 2026-01-02T03:04:05Z") {
      @Override
      boolean takes(JsonNode value) {
        return value.isTextual() && TimeText.of(value.textValue()).isPresent();
      }

      @Override
      ObjectNode schema() {
        return typed("string").put("format", "date-time");
      }
    },
    TRUTH("true or false") {
      @Override
      boolean takes(JsonNode value) {
        return value.isBoolean();
      }

      @Override
      ObjectNode schema() {
        return typed("boolean");
      }
    },
    CODE("a whole number, as error codes are") {
      @Override
      boolean takes(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToInt();
      }

      @Override
      ObjectNode schema() {
        return typed("integer").put("minimum", Integer.MIN_VALUE).put("maximum", Integer.MAX_VALUE);
      }
    },
    CURSOR("the cursor that the page before ended with") {
      @Override
      boolean takes(JsonNode value) {
        return value.isTextual() && CURSOR_TEXT.matcher(value.textValue()).matches();
      }

      @Override
      ObjectNode schema() {
        return typed("string").put("pattern", CURSOR_TEXT.pattern());
      }
    },
    STATUS(Arrays.stream(CallStatus.values()).map(CallStatus::word).toList()),
    GATE(Arrays.stream(Gate.values()).map(Gate::word).toList()),
    DIALECT(Arrays.stream(Dialect.values()).map(Dialect::word).toList()),
    VIEW(Views.NAMES),
    DIMENSIONS("an array of some of " + String.join(", ", dimensions())) {
      @Override
      boolean takes(JsonNode value) {
        return value.isArray()
            && StreamSupport.stream(value.spliterator(), false)
                .allMatch(it -> it.isTextual() && dimensions().contains(it.textValue()))
            && StreamSupport.stream(value.spliterator(), false).distinct().count() == value.size();
      }

      @Override
      ObjectNode schema() {
        ObjectNode schema = typed("array").put("uniqueItems", true);
        dimensions().forEach(schema.putObject("items").put("type", "string").putArray("enum")::add);
        return schema;
      }
    },
    NOTES("an array of at most " + NOTES_MAX + " signed notes") {
      @Override
      boolean takes(JsonNode value) {
        return value.isArray()
            && value.size() <= NOTES_MAX
            && StreamSupport.stream(value.spliterator(), false)
                .allMatch(it -> it.isTextual() && isWithin(NOTE_CHARS_MAX, it));
      }

      @Override
      ObjectNode schema() {
        ObjectNode schema = typed("array").put("maxItems", NOTES_MAX);
        schema.set("items", typed("string").put("maxLength", NOTE_CHARS_MAX));
        return schema;
      }
    };

    private final String words;

    /** Absent where not only a few are taken. */
    @SuppressWarnings("ImmutableEnumChecker") // a list of constants, and a copy
    private final @Nullable List<String> few;

    Type(String words) {
      this.words = words;
      this.few = null;
    }

    /** One of a few words. */
    Type(List<String> few) {
      this.words = "one of " + String.join(", ", few);
      this.few = List.copyOf(few);
    }

    /** Which values it takes, for a sentence. */
    String words() {
      return words;
    }

    boolean takes(JsonNode value) {
      return few != null && value.isTextual() && few.contains(value.textValue());
    }

    /** Which values it takes, as JSON Schema. */
    ObjectNode schema() {
      ObjectNode schema = typed("string");
      if (few != null) {
        few.forEach(schema.putArray("enum")::add);
      }
      return schema;
    }

    private static boolean isWithin(int charsMax, JsonNode value) {
      String text = value.textValue();
      return text.codePointCount(0, text.length()) <= charsMax;
    }

    private static ObjectNode typed(String type) {
      return JsonNodeFactory.instance.objectNode().put("type", type);
    }
  }

  private static List<String> dimensions() {
    return Arrays.stream(DenialDimension.values()).map(DenialDimension::word).toList();
  }

  static MethodParam required(String name, Type type, String description) {
    return new MethodParam(name, type, true, description);
  }

  static MethodParam optional(String name, Type type, String description) {
    return new MethodParam(name, type, false, description);
  }
}
