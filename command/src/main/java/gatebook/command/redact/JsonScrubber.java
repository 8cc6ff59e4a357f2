package gatebook.command.redact;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import gatebook.command.redact.SecretNames.Secrecy;
import gatebook.events.call.JsonValue;
import gatebook.events.call.UnlimitedJson;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Set;

/** Scrubs JSON token by token, so that a part of it can be scrubbed without reading the rest. */
final class JsonScrubber {

  static final JsonFactory FACTORY = UnlimitedJson.factory();

  private static final int WORD_MAX = 64;

  /** The members that may name the value of the next. */
  static final Set<String> NAME_MEMBERS = Set.of("name", "key", "header");

  private final Scrubber scrubber;
  private final SecretNames names;
  private final ArrayTexts arrayTexts = new ArrayTexts();
  private final FrameMembers frameMembers = new FrameMembers();

  /** Whether the last member or text announced that the next value is a secret. */
  private boolean secretFollows;

  /**
   * In an array: the program and the last option, on which the meaning of the next text depends.
   */
  private String commandLine = "";

  JsonScrubber(Scrubber scrubber, SecretNames names) {
    this.scrubber = scrubber;
    this.names = names;
  }

  JsonValue scrub(String json) {
    return JsonValue.written(generator -> {
      try (JsonParser parser = FACTORY.createParser(json)) {
        while (parser.nextToken() != null) {
          copy(parser, generator);
        }
      }
    });
  }

  /** Scrubs the start of the JSON: at least so many characters, unless it has fewer. */
  String scrubPrefix(String json, int charsEnough) {
    StringWriter text = new StringWriter();
    try (JsonParser parser = FACTORY.createParser(json);
        JsonGenerator generator = FACTORY.createGenerator(text)) {
      while (writtenLength(text, generator) < charsEnough && parser.nextToken() != null) {
        copy(parser, generator);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the text is not valid JSON", e);
    }
    return text.toString();
  }

  private static int writtenLength(StringWriter text, JsonGenerator generator) {
    return text.getBuffer().length() + generator.getOutputBuffered();
  }

  private void copy(JsonParser parser, JsonGenerator generator) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      arrayTexts.end(generator);
    }
    switch (parser.currentToken()) {
      case FIELD_NAME -> member(parser, generator);
      case VALUE_STRING -> string(parser.getText(), generator);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getText(), generator);
      default -> {
        writeHeld(generator);
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
    if (!secret
        && frameMembers.wants(name, parser.currentToken())
        && !NAME_MEMBERS.contains(name)) {
      frameMembers.hold(
          new FrameMembers.Held(name, scrubbed, parser.currentToken(), parser.getText()));
      return;
    }
    writeHeld(generator);
    generator.writeFieldName(TextEnds.wellFormed(scrubbed));
    if (secret) {
      parser.skipChildren();
      generator.writeString(SecretKind.NAMED.marker().text());
      return;
    }
    copy(parser, generator);
    secretFollows = NAME_MEMBERS.contains(name) && namesSecret(parser);
  }

  private void writeHeld(JsonGenerator generator) throws IOException {
    if (frameMembers.isEmpty()) {
      return;
    }
    boolean areFrame = frameMembers.areFrame();
    for (FrameMembers.Held member : frameMembers.release()) {
      generator.writeFieldName(TextEnds.wellFormed(member.scrubbedName()));
      if (areFrame && member.isPartOfFrame()) {
        generator.writeString(StackTraceLines.MARKER);
      } else {
        writeScalar(member, generator);
      }
    }
  }

  private void writeScalar(FrameMembers.Held member, JsonGenerator generator) throws IOException {
    switch (member.token()) {
      case VALUE_STRING -> string(member.text(), generator);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(member.text(), generator);
      case VALUE_NULL -> generator.writeNull();
      default -> generator.writeBoolean(member.token() == JsonToken.VALUE_TRUE);
    }
  }

  /** In {@code {"name": "Cookie", "value": …}} one member names the value of the next. */
  private boolean namesSecret(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_STRING
        && parser.getTextLength() <= SecretNames.LENGTH_MAX
        && isSecret(parser.getText(), scrubber.scrub(parser.getText()), JsonToken.VALUE_STRING);
  }

  /** Checks both forms of the name, so that scrubbed JSON is classified as before. */
  private boolean isSecret(String name, String scrubbed, JsonToken value) {
    return isSecret(names.of(name), value) || isSecret(names.of(scrubbed), value);
  }

  private static boolean isSecret(Secrecy secrecy, JsonToken value) {
    return switch (secrecy) {
      case NONE -> false;
      case POSSIBLE -> value == JsonToken.VALUE_STRING;
      case SECRET, SECRET_LINE -> true;
    };
  }

  private void string(String text, JsonGenerator generator) throws IOException {
    boolean secret = secretFollows;
    boolean inArray = generator.getOutputContext().inArray();
    secretFollows = !secret && inArray && isSecretOption(text);
    String scrubbed =
        secret
            ? SecretKind.NAMED.marker().text()
            : inArray ? commandWord(text) : scrubber.scrub(text);
    if (inArray) {
      arrayTexts.add(text, scrubbed, generator);
    } else {
      generator.writeString(TextEnds.wellFormed(scrubbed));
    }
  }

  /** Scrubs a word of a command line given as an array, in the context of its program. */
  private String commandWord(String text) {
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

  /** In {@code ["--password", …]} one text names the next. */
  private boolean isSecretOption(String text) {
    return text.startsWith("--")
        && CharClasses.skip(text, 0, CharClasses.WORD) == text.length()
        && isSecret(names.of(text), JsonToken.VALUE_STRING);
  }

  /** Copies the digits, since 1.50 would become 1.5 by value. A number may be a known secret. */
  private void number(String digits, JsonGenerator generator) throws IOException {
    String scrubbed = scrubber.scrub(digits);
    if (scrubbed.equals(digits)) {
      generator.writeNumber(digits);
    } else {
      generator.writeString(scrubbed);
    }
  }
}
