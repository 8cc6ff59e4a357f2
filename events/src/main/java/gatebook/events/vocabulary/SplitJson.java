package gatebook.events.vocabulary;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectWriter;
import gatebook.events.Event;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The JSON of one event in UTF-8, with its content apart or in its place. Its buffers and its
 * generator serve one event after the other.
 *
 * <p>Content that is apart is a JSON array of the values. Originals are apart from that: each in
 * UTF-8 behind its length in four bytes. They are texts of any size; as JSON in JSON they would
 * grow.
 */
final class SplitJson extends Writer {
  private static final ObjectWriter EVENTS = EventJson.mapper().writer();

  /** Free ones, at most as many as threads wrote at the same time. */
  private static final Deque<SplitJson> FREE = new ConcurrentLinkedDeque<>();

  private final Utf8Buffer plain = new Utf8Buffer();
  private final Utf8Buffer content = new Utf8Buffer();
  private final Utf8Buffer originalTexts = new Utf8Buffer();
  private final List<String> originals = new ArrayList<>();
  private final JsonGenerator generator;
  private Utf8Buffer target = plain;
  private boolean isSplit;
  private int valueAt;
  private int values;

  private SplitJson() throws IOException {
    generator = EventJson.mapper().createGenerator(this);
    generator.setRootValueSeparator(null);
  }

  /** The JSON of an event with its content apart. */
  static SplitJson of(Event event) throws IOException {
    return written(event, true);
  }

  /** The JSON of an event with its content in its place. */
  static SplitJson whole(Event event) throws IOException {
    return written(event, false);
  }

  private static SplitJson written(Event event, boolean isSplit) throws IOException {
    SplitJson free = FREE.poll();
    SplitJson json = free == null ? new SplitJson() : free;
    json.isSplit = isSplit;
    EVENTS.writeValue(json.generator, event);
    json.generator.flush();
    return json;
  }

  /** Lets another event use this. After a failure it is left to the garbage collector instead. */
  void release() {
    plain.clear();
    content.clear();
    originalTexts.clear();
    originals.clear();
    values = 0;
    FREE.push(this);
  }

  /** Whether values of content are to be written apart now. */
  boolean isSplit() {
    return isSplit && target == plain;
  }

  /** Begins a value of content; in its place is its number. */
  void beginValue() throws IOException {
    generator.flush();
    plain.add((byte) ':');
    plain.addAscii(Integer.toString(values));
    valueAt = content.length();
    target = content;
  }

  /** Ends a value. The generator wrote a colon before it, which becomes what an array has there. */
  void endValue() throws IOException {
    generator.flush();
    content.set(valueAt, (byte) (values == 0 ? '[' : ','));
    values++;
    target = plain;
  }

  /** Adds an original, and returns its number. */
  int addOriginal(String original) {
    originals.add(original);
    return originals.size() - 1;
  }

  boolean hasContent() {
    return values > 0 || !originals.isEmpty();
  }

  boolean hasOriginals() {
    return !originals.isEmpty();
  }

  /** The JSON without the content that is apart. */
  Utf8Buffer plain() {
    return plain;
  }

  /** The content that is apart, once: nothing can be added any more. */
  Utf8Buffer content() {
    if (values == 0) {
      content.add((byte) '[');
    }
    content.add((byte) ']');
    return content;
  }

  /** The originals, once. */
  Utf8Buffer originals() {
    originals.forEach(originalTexts::addWithLength);
    return originalTexts;
  }

  /** Whether a reader of all that was written gets the same texts. */
  boolean isLossless() {
    return plain.isLossless() && content.isLossless() && originalTexts.isLossless();
  }

  @Override
  public void write(char[] chars, int from, int length) {
    target.add(chars, from, length);
  }

  @Override
  public void flush() {
    // nothing is held back
  }

  @Override
  public void close() {
    // nothing is open
  }
}
