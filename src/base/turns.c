/* turns.c - see turns.h. */
#include "base/turns.h"

#include <pthread.h>
#include <stdlib.h>

struct bt_turns {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int sharing, waiting; /* at work side by side; those who want to be alone */
  bool alone;
};

bt_status bt_turns_create(bt_turns **ret_turns, bt_error *opt_error) {
  *ret_turns = calloc(1, sizeof **ret_turns);
  if (*ret_turns == NULL) return bt_fail_memory(opt_error);
  pthread_mutex_init(&(*ret_turns)->lock, NULL);
  pthread_cond_init(&(*ret_turns)->changed, NULL);
  return BT_OK;
}

void bt_turns_destroy(bt_turns *opt_turns) {
  if (opt_turns == NULL) return;
  pthread_mutex_destroy(&opt_turns->lock);
  pthread_cond_destroy(&opt_turns->changed);
  free(opt_turns);
}

void bt_turns_share(bt_turns *opt_turns) {
  bt_turns *turns = opt_turns;
  if (turns == NULL) return;
  pthread_mutex_lock(&turns->lock);
  while (turns->alone || turns->waiting > 0) pthread_cond_wait(&turns->changed, &turns->lock);
  turns->sharing++;
  pthread_mutex_unlock(&turns->lock);
}

void bt_turns_alone(bt_turns *opt_turns) {
  bt_turns *turns = opt_turns;
  if (turns == NULL) return;
  pthread_mutex_lock(&turns->lock);
  turns->waiting++;
  while (turns->alone || turns->sharing > 0) pthread_cond_wait(&turns->changed, &turns->lock);
  turns->waiting--;
  turns->alone = true;
  pthread_mutex_unlock(&turns->lock);
}

void bt_turns_end(bt_turns *opt_turns) {
  bt_turns *turns = opt_turns;
  if (turns == NULL) return;
  pthread_mutex_lock(&turns->lock);
  if (turns->alone)
    turns->alone = false;
  else
    turns->sharing--;
  pthread_cond_broadcast(&turns->changed);
  pthread_mutex_unlock(&turns->lock);
}
