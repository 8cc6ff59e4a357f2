package gatebook.command.policy;

import com.cedarpolicy.value.CedarList;
import com.cedarpolicy.value.CedarMap;
import com.cedarpolicy.value.PrimBool;
import com.cedarpolicy.value.PrimLong;
import com.cedarpolicy.value.PrimString;
import com.cedarpolicy.value.Value;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts JSON to Cedar values. Null becomes an empty record, an array a set, an integral number a
 * long in any notation, and an integer that fits 64 bits only unsigned a string. Values that Cedar
 * cannot represent faithfully are refused.
 */
final class CedarJson {

  /** The deepest nesting of objects and arrays, the outermost included. */
  static final int DEPTH_MAX = 64;

  /** Member names by which the engine's own JSON marks entities and extension values. */
  private static final Set<String> RESERVED_NAMES = Set.of("__entity", "__extn", "__expr");

  private static final BigInteger UNSIGNED_MAX =
      BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);
  private static final int LONG_DIGITS_MAX = 19;
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** Input that cannot be given to policies; the message says why and quotes no value. */
  static final class UnusableInput extends Exception {
    private static final long serialVersionUID = 1;

    UnusableInput(String message) {
      super(message, null, false, false);
    }
  }

  private final JsonParser parser;
  private int depth;

  private CedarJson(JsonParser parser) {
    this.parser = parser;
  }

  /** Parses the text of a JSON object to a record; null gives an empty one. */
  static CedarMap parseRecord(@Nullable String text) throws UnusableInput {
    if (text == null) {
      return new CedarMap();
    }
    try (JsonParser parser = JSON.createParser(text)) {
      return new CedarJson(parser).parse();
    } catch (IOException | ArithmeticException | NumberFormatException e) {
      throw new UnusableInput("the arguments are not valid JSON");
    }
  }

  private CedarMap parse() throws IOException, UnusableInput {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new UnusableInput("the arguments are no JSON object");
    }
    CedarMap record = object();
    if (parser.nextToken() != null) {
      throw new UnusableInput("something follows the arguments");
    }
    return record;
  }

  private Value value(JsonToken token) throws IOException, UnusableInput {
    return switch (token) {
      case START_OBJECT -> object();
      case START_ARRAY -> array();
      case VALUE_STRING -> new PrimString(requireUnicode(parser.getText()));
      case VALUE_NUMBER_INT -> integer(parser.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> integral(parser.getDecimalValue());
      case VALUE_TRUE -> new PrimBool(true);
      case VALUE_FALSE -> new PrimBool(false);
      case VALUE_NULL -> new CedarMap();
      case FIELD_NAME, END_OBJECT, END_ARRAY, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new UnusableInput("the arguments are not valid JSON");
    };
  }

  private CedarMap object() throws IOException, UnusableInput {
    enter();
    CedarMap record = new CedarMap();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      if (RESERVED_NAMES.contains(name)) {
        throw new UnusableInput(
            "a member is named %s, which the policy engine reserves".formatted(name));
      }
      record.put(requireUnicode(name), value(parser.nextToken()));
    }
    depth--;
    return record;
  }

  private CedarList array() throws IOException, UnusableInput {
    enter();
    CedarList set = new CedarList();
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      set.add(value(t));
    }
    depth--;
    return set;
  }

  private void enter() throws UnusableInput {
    if (++depth > DEPTH_MAX) {
      throw new UnusableInput("the arguments nest deeper than %d".formatted(DEPTH_MAX));
    }
  }

  private static Value integer(BigInteger number) throws UnusableInput {
    if (number.bitLength() < Long.SIZE) {
      return new PrimLong(number.longValue());
    }
    if (number.signum() > 0 && number.compareTo(UNSIGNED_MAX) <= 0) {
      return new PrimString(number.toString());
    }
    throw new UnusableInput("a number has more than 64 bits");
  }

  /** Checks the exponent before expanding: it may stand for a billion digits. */
  private static Value integral(BigDecimal number) throws UnusableInput {
    BigDecimal shortest = number.stripTrailingZeros();
    if (shortest.scale() > 0) {
      throw new UnusableInput("a number has a fraction");
    }
    long digits = (long) shortest.precision() - shortest.scale();
    if (digits <= LONG_DIGITS_MAX) {
      BigInteger whole = shortest.toBigIntegerExact();
      if (whole.bitLength() < Long.SIZE) {
        return new PrimLong(whole.longValue());
      }
    }
    throw new UnusableInput("a number written with a point or an exponent has more than 64 bits");
  }

  /** Refuses half a surrogate pair, which would reach the engine as a different text. */
  static String requireUnicode(String text) throws UnusableInput {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (!Character.isSurrogatePair(c, i + 1 < text.length() ? text.charAt(i + 1) : 0)) {
          throw new UnusableInput("a text is not valid Unicode");
        }
        i++;
      }
    }
    return text;
  }
}
