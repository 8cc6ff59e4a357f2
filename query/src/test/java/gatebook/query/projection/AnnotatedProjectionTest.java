package gatebook.query.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchException;

import gatebook.events.MessagesRefused;
import gatebook.events.journal.storage.Entry;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.axonframework.messaging.core.annotation.ClasspathParameterResolverFactory;
import org.axonframework.messaging.eventhandling.annotation.AnnotatedEventHandlingComponent;
import org.axonframework.messaging.eventhandling.annotation.EventHandler;
import org.junit.jupiter.api.Test;

@SuppressWarnings({
  "UnusedMethod",
  "UnusedVariable",
  "DoNotCallSuggester"
}) // handlers are called by reflection
final class AnnotatedProjectionTest {
  private static final MessagesRefused EVENT =
      new MessagesRefused(Instant.EPOCH, Instant.EPOCH.plusSeconds(1), List.of());
  private static final byte[] NONE = {};

  /** Has no methods: these projections write no table. */
  private static final Connection VIEW =
      (Connection)
          Proxy.newProxyInstance(
              Connection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (_, method, _) -> {
                throw new UnsupportedOperationException(method.getName());
              });

  private final List<String> steps = new ArrayList<>();

  @Test
  void handlersGetTheEventItsEntryAndTheRows() throws SQLException {
    project(new Refusals(), entry(1, "gatebook.MessagesRefused"));

    assertThat(steps).containsExactly("handle 1 " + EVENT.to(), "write", "close");
  }

  @Test
  void rowsAreWrittenOnceForAPage() throws SQLException {
    project(
        new Refusals(), entry(1, "gatebook.MessagesRefused"), entry(2, "gatebook.MessagesRefused"));

    assertThat(steps)
        .containsExactly("handle 1 " + EVENT.to(), "handle 2 " + EVENT.to(), "write", "close");
  }

  @Test
  void anEventWithoutAHandlerIsSkipped() throws SQLException {
    project(new Refusals(), entry(1, "gatebook.Unheard"));

    assertThat(steps).containsExactly("write", "close");
  }

  @Test
  void aRequiredEventWithoutAHandlerFailsThePage() {
    assertThatIllegalStateException()
        .isThrownBy(() -> project(new Refusals(), entry(1, "gatebook.Required")))
        .withMessage("no handler for gatebook.Required");
    assertThat(steps).containsExactly("close");
  }

  @Test
  void anEventThatCannotChangeTheRowsIsNotRead() throws SQLException {
    project(new Refusals(), entry(Refusals.UNREAD, "gatebook.MessagesRefused"));

    assertThat(steps).containsExactly("write", "close");
  }

  @Test
  void anErrorOfTheDatabaseIsThrownAsItIs() {
    SQLException full = new SQLException("the disk is full", "53100");

    assertThat(
            catchException(() -> project(new Failing(full), entry(1, "gatebook.MessagesRefused"))))
        .isSameAs(full);
  }

  /** The trap of Axon 5.0.1: if this test fails, the check of the next one can go. */
  @Test
  void axonNamesABareHandlerByItsJavaClass() {
    var handlers =
        new AnnotatedEventHandlingComponent<>(
            new Bare(), ClasspathParameterResolverFactory.forClass(Bare.class));

    assertThat(handlers.supportedEvents())
        .extracting(Object::toString)
        .containsExactly(MessagesRefused.class.getName());
  }

  @Test
  void aBareHandlerIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AnnotatedProjection(new Bare(), new EventReader()))
        .withMessageEndingWith("a projection's handlers have @ProjectionHandler");
  }

  @Test
  void aHandlerOfAnUnnamedEventIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AnnotatedProjection(new Unnamed(), new EventReader()))
        .withMessageEndingWith(
            "must either take an event with @Named first, or name the event it handles");
  }

  @Test
  void twoHandlersOfAnEventAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AnnotatedProjection(new Doubled(), new EventReader()))
        .withMessageEndingWith("handles an event that has a handler already");
  }

  private static void project(Projection projection, Entry... page) throws SQLException {
    new AnnotatedProjection(projection, new EventReader()).project(VIEW, List.of(page));
  }

  private static Entry entry(long position, String name) {
    return new Entry(
        position,
        "e" + position,
        name,
        "1",
        "2026-01-01T00:00:00.000000000Z",
        "n",
        "",
        NONE,
        NONE,
        NONE,
        EVENT);
  }

  private abstract class WithoutTables implements Projection {
    @Override
    public String name() {
      return "test";
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public List<ViewTable> tables() {
      return List.of();
    }

    @Override
    public LoggedRows rows(Connection view) {
      return new LoggedRows();
    }

    @Override
    public boolean requiresHandler(Entry entry) {
      return entry.name().equals("gatebook.Required");
    }
  }

  /** Logs what is done with the rows. */
  private final class LoggedRows implements PageRows {
    @Override
    public boolean canChangeBy(Entry entry) {
      return entry.position() != Refusals.UNREAD;
    }

    @Override
    public void write() {
      steps.add("write");
    }

    @Override
    public void close() {
      steps.add("close");
    }
  }

  private final class Refusals extends WithoutTables {
    static final long UNREAD = 7;

    @ProjectionHandler
    void on(MessagesRefused event, Entry entry, LoggedRows rows) {
      steps.add("handle %d %s".formatted(entry.position(), event.to()));
      assertThat(rows).isNotNull();
    }
  }

  private final class Failing extends WithoutTables {
    private final SQLException failure;

    Failing(SQLException failure) {
      this.failure = failure;
    }

    @ProjectionHandler
    void on(MessagesRefused event) throws SQLException {
      throw failure;
    }
  }

  private final class Bare extends WithoutTables {
    @EventHandler
    void on(MessagesRefused event) {
      throw new AssertionError(event);
    }
  }

  private final class Doubled extends WithoutTables {
    @ProjectionHandler
    void on(MessagesRefused event) {
      throw new AssertionError(event);
    }

    @ProjectionHandler
    void alsoOn(MessagesRefused event) {
      throw new AssertionError(event);
    }
  }

  private final class Unnamed extends WithoutTables {
    @ProjectionHandler
    void on(String event) {
      throw new AssertionError(event);
    }
  }
}
