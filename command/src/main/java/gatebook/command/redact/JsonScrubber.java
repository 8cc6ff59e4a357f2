package gatebook.command.redact;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import gatebook.command.redact.SecretNames.Says;
import gatebook.events.call.JsonValue;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Set;

/** Copies JSON token by token, so that a part of it can be scrubbed without the rest. */
final class JsonScrubber {

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE) // digits are copied, never computed with
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final int WORD_MAX = 64;
  private static final Set<String> NAMING = Set.of("name", "key", "header");

  private final Scrubber scrubber;
  private final SecretNames names;

  /** Whether what was read last says that a secret comes next. */
  private boolean secretFollows;

  /** In an array: the program, and the last option, that may say what the next text is. */
  private String commandLine = "";

  JsonScrubber(Scrubber scrubber, SecretNames names) {
    this.scrubber = scrubber;
    this.names = names;
  }

  JsonValue scrubbed(String json) {
    return JsonValue.written(generator -> {
      try (JsonParser parser = FACTORY.createParser(json)) {
        while (parser.nextToken() != null) {
          copy(parser, generator);
        }
      }
    });
  }

  /** At least so many characters of it, unless it has fewer. */
  String beginning(String json, int charsEnough) {
    StringWriter text = new StringWriter();
    try (JsonParser parser = FACTORY.createParser(json);
        JsonGenerator generator = FACTORY.createGenerator(text)) {
      while (written(text, generator) < charsEnough && parser.nextToken() != null) {
        copy(parser, generator);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("what was JSON is no more", e);
    }
    return text.toString();
  }

  private static int written(StringWriter text, JsonGenerator generator) {
    return text.getBuffer().length() + generator.getOutputBuffered();
  }

  private void copy(JsonParser parser, JsonGenerator generator) throws IOException {
    switch (parser.currentToken()) {
      case FIELD_NAME -> member(parser, generator);
      case VALUE_STRING -> string(parser.getText(), generator);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getText(), generator);
      default -> {
        secretFollows = false;
        commandLine = "";
        generator.copyCurrentEvent(parser);
      }
    }
  }

  private void member(JsonParser parser, JsonGenerator generator) throws IOException {
    String name = parser.currentName();
    String scrubbed = scrubber.scrub(name);
    boolean announced = secretFollows && name.equals("value");
    boolean secret = isSecret(name, scrubbed, parser.nextToken()) || announced;
    secretFollows = false;
    generator.writeFieldName(TextEnds.wellFormed(scrubbed));
    if (secret) {
      parser.skipChildren();
      generator.writeString(SecretKind.NAMED.marker().text());
      return;
    }
    copy(parser, generator);
    secretFollows = NAMING.contains(name) && namesSecret(parser);
  }

  /** In {@code {"name": "Cookie", "value": …}} a member says what the one behind it holds. */
  private boolean namesSecret(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_STRING
        && parser.getTextLength() <= SecretNames.LENGTH_MAX
        && isSecret(parser.getText(), scrubber.scrub(parser.getText()), JsonToken.VALUE_STRING);
  }

  /** Either form counts, so that what was scrubbed before is judged no other way again. */
  private boolean isSecret(String name, String scrubbed, JsonToken value) {
    return isSecret(names.of(name), value) || isSecret(names.of(scrubbed), value);
  }

  private static boolean isSecret(Says says, JsonToken value) {
    return switch (says) {
      case NOTHING -> false;
      case PERHAPS -> value == JsonToken.VALUE_STRING;
      case SECRET, SECRET_LINE -> true;
    };
  }

  private void string(String text, JsonGenerator generator) throws IOException {
    boolean secret = secretFollows;
    boolean inArray = generator.getOutputContext().inArray();
    secretFollows = !secret && inArray && isSecretOption(text);
    String scrubbed =
        secret ? SecretKind.NAMED.marker().text() : inArray ? word(text) : scrubber.scrub(text);
    generator.writeString(TextEnds.wellFormed(scrubbed));
  }

  /** Of a command line that is an array: options mean what its program says. */
  private String word(String text) {
    String before = commandLine;
    commandLine = text.length() > WORD_MAX ? "" : commandLine(before, text);
    if (before.isEmpty()) {
      return scrubber.scrub(text);
    }
    String scrubbed = scrubber.scrub(before + text);
    return scrubbed.startsWith(before) ? scrubbed.substring(before.length()) : scrubber.scrub(text);
  }

  private static String commandLine(String before, String word) {
    String program = CommandOptionDetector.program(word);
    if (!program.isEmpty()) {
      return program + " ";
    }
    return word.startsWith("-") && !before.isEmpty()
        ? program(before) + word + " "
        : program(before);
  }

  private static String program(String commandLine) {
    return commandLine.substring(0, commandLine.indexOf(' ') + 1);
  }

  /** In {@code ["--password", …]} a text says what the one behind it is. */
  private boolean isSecretOption(String text) {
    return text.startsWith("--")
        && CharClasses.skip(text, 0, CharClasses.WORD) == text.length()
        && isSecret(names.of(text), JsonToken.VALUE_STRING);
  }

  /** By value, 1.50 would come back as 1.5; and a number may be a secret that is known. */
  private void number(String digits, JsonGenerator generator) throws IOException {
    String scrubbed = scrubber.scrub(digits);
    if (scrubbed.equals(digits)) {
      generator.writeNumber(digits);
    } else {
      generator.writeString(scrubbed);
    }
  }
}
