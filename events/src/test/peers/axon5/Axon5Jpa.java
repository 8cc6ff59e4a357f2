package axon5;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import gatebook.events.journal.AppendLoad;
import gatebook.events.journal.AppendSample;
import gatebook.events.journal.AppendSubject;
import gatebook.events.journal.DeniedCall;
import gatebook.events.journal.SubjectServer;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import java.util.function.UnaryOperator;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.conversion.json.JacksonConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.eventsourcing.eventstore.jpa.AggregateBasedJpaEventStorageEngine;
import org.axonframework.eventsourcing.eventstore.jpa.AggregateEventEntry;
import org.axonframework.messaging.commandhandling.annotation.CommandHandler;
import org.axonframework.messaging.commandhandling.configuration.CommandHandlingModule;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.core.unitofwork.transaction.Transaction;
import org.axonframework.messaging.core.unitofwork.transaction.TransactionManager;
import org.axonframework.messaging.eventhandling.conversion.DelegatingEventConverter;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.jpa.HibernatePersistenceConfiguration;

/** Axon 5's own JPA engine behind its command gateway: one event of an aggregate of its own. */
final class Axon5Jpa implements AppendSubject {
  private final HikariDataSource connections;
  private final EntityManagerFactory entityManagers;
  private final AxonConfiguration axon;
  private final CommandGateway gateway;

  Axon5Jpa(String url) {
    connections = new HikariDataSource(config(url));
    entityManagers =
        new HibernatePersistenceConfiguration("peer")
            .managedClass(AggregateEventEntry.class)
            .property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, connections)
            .property(AvailableSettings.HBM2DDL_AUTO, "create")
            // its generator's name has dashes in it
            .property(AvailableSettings.GLOBALLY_QUOTED_IDENTIFIERS, true)
            .createEntityManagerFactory();
    ThreadBound transactions = new ThreadBound(entityManagers);
    axon =
        EventSourcingConfigurer.create()
            .registerEventStorageEngine(_ ->
                new AggregateBasedJpaEventStorageEngine(
                    transactions::entityManager,
                    transactions,
                    new DelegatingEventConverter(new JacksonConverter()),
                    UnaryOperator.identity()))
            .registerCommandHandlingModule(
                CommandHandlingModule.named("gate")
                    .commandHandlers()
                    .annotatedCommandHandlingComponent(_ -> new Gate()))
            .start();
    gateway = axon.getComponent(CommandGateway.class);
  }

  private static HikariConfig config(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(64);
    config.setMinimumIdle(1);
    config.setAutoCommit(false);
    return config;
  }

  /** Axon 5.0.1 has no transaction manager outside Spring: one entity manager per transaction. */
  private static final class ThreadBound implements TransactionManager {
    private final EntityManagerFactory factory;
    private final ThreadLocal<EntityManager> current = new ThreadLocal<>();

    ThreadBound(EntityManagerFactory factory) {
      this.factory = factory;
    }

    EntityManager entityManager() {
      return current.get();
    }

    @Override
    public Transaction startTransaction() {
      EntityManager entityManager = factory.createEntityManager();
      EntityTransaction transaction = entityManager.getTransaction();
      transaction.begin();
      current.set(entityManager);
      return new Transaction() {
        @Override
        public void commit() {
          current.remove();
          transaction.commit();
        }

        @Override
        public void rollback() {
          current.remove();
          if (transaction.isActive()) {
            transaction.rollback();
          }
        }
      };
    }
  }

  record DenyCall(String callId) {}

  static final class Gate {
    @CommandHandler
    void handle(DenyCall command, EventAppender events) {
      events.append(DeniedCall.denied(command.callId()));
    }
  }

  @Override
  public AppendSample measure(int callers, double eventsPerBatch, long millis) {
    return AppendLoad.run(
        callers,
        millis,
        () -> gateway.send(new DenyCall(DeniedCall.newCallId())).getResultMessage());
  }

  @Override
  public void close() {
    axon.shutdown();
    entityManagers.close();
    connections.close();
  }

  public static void main(String[] args) throws Exception {
    SubjectServer.serve(() -> new Axon5Jpa(args[0]));
  }
}
