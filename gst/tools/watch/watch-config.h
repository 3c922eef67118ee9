/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The configuration file of gst-gles-watch-1.0. */
#ifndef WATCH_CONFIG_H
#define WATCH_CONFIG_H

#include "config-section.h"

G_BEGIN_DECLS

/* Where HTTP may lead; in the order of the key's values. */
typedef enum {
  WATCH_FOLLOW_HOST,
  WATCH_FOLLOW_ANY,
} WatchFollow;

/* Whose clock the time of day of lines is by; in the order of the key's values. */
typedef enum {
  WATCH_TIME_AUTO,
  WATCH_TIME_CAMERA,
  WATCH_TIME_ARRIVAL,
} WatchTime;

/* [camera NAME] */
typedef struct {
  WatchSection section;
  gchar *uri, *user, *password_file; /* the last two (nullable) */
  WatchFollow follow;
  WatchTime time;
  gchar *device, *decoder;        /* the latter (nullable): names of elements, comma between */
  gchar *events, *mask, *region;  /* the latter two (nullable) */
  gchar *tags;                    /* (nullable): a JSON object */
  gchar **set;                    /* (nullable): ELEMENT.PROPERTY=VALUE each */
  gchar *detector;                /* (nullable): elements, as gst-launch-1.0 takes them */
  guint64 latency, stall_timeout; /* ms; s */
  guint64 rate;                   /* frames a second that are analysed, 0: all */
  guint64 decoder_threads, detect_every;
  gboolean thumbnails;
  gchar *record; /* (nullable): a folder */
  gboolean record_audio;
  guint64 record_duration;                             /* s */
  guint64 record_bytes, record_days, record_keep_free; /* 0: no bound */
  GPtrArray
      *zones; /* of WatchZoneConfig, which the configuration owns; the fingerprint has theirs */
} WatchCameraConfig;

/* [zone NAME] */
typedef struct {
  WatchSection section;
  gchar *camera;         /* its name */
  gchar *polygon, *line; /* one of them is NULL */
  gchar *types;          /* (nullable): names, comma between */
  guint64 dwell;         /* s; 0: never */
} WatchZoneConfig;

/* In the order of the key's values. */
typedef enum {
  WATCH_METHOD_MQTT,
  WATCH_METHOD_FILE,
  WATCH_METHOD_FD,
} WatchMethod;

/* [publish NAME] */
typedef struct {
  WatchSection section;
  WatchMethod method;
  gchar *address, *topic;                  /* address (nullable) */
  gchar *client_id, *user, *password_file; /* (nullable) */
  gchar *ca_file, *cert_file, *key_file;   /* (nullable) */
  guint64 qos, spool_bytes, queue_bytes;
  gboolean retain, states, snapshots, home_assistant;
  gchar *base_topic, *discovery_prefix;
} WatchPublishConfig;

/* [thumbnails], [metrics] and [watch] */
typedef struct {
  WatchSection section;
  gchar *directory; /* (nullable) */
  guint64 width, quality, max_files, max_bytes;
  gboolean boxes;
} WatchThumbnailsConfig;

typedef struct {
  WatchSection section;
  gchar *address;
  guint64 port;
} WatchMetricsConfig;

typedef struct {
  WatchSection section;
  gchar *state_directory; /* (nullable) */
  gboolean no_state;      /* no key: nothing is kept, whatever the environment says */
} WatchGeneralConfig;

typedef struct {
  /* of WatchCameraConfig, WatchZoneConfig and WatchPublishConfig */
  GPtrArray *cameras, *zones, *publish;
  WatchThumbnailsConfig thumbnails;
  WatchMetricsConfig metrics;
  WatchGeneralConfig general;
} WatchConfig;

/* Reads the configuration @text. @file: its name, for @errors, to which a line "FILE:LINE: what is
 * wrong" is added for each error. Returns NULL if there is one. */
WatchConfig *watch_config_parse (
    const gchar *text, gsize size, const gchar *file, GPtrArray *errors);
WatchConfig *watch_config_ref (WatchConfig *config);
void watch_config_unref (WatchConfig *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WatchConfig, watch_config_unref)

/* Returns the keys of sections of the kind @name, "camera" and so on. */
const struct _WatchKind *watch_config_get_kind (const gchar *name);

/* Also checks what the text alone does not tell: keys that do nothing, what elements take, what
 * publishers would do to each other. @former (nullable): was checked, so that its sections need not
 * be checked again. @missing: gets what is right and is not there or cannot be written at the
 * moment: files, folders, devices. */
void watch_config_check (const WatchConfig *config, const WatchConfig *former, const gchar *file,
    GPtrArray *errors, GPtrArray *missing);

/* Returns a description of all keys with their defaults: (transfer full). */
gchar *watch_config_describe (void);

G_END_DECLS

#endif
