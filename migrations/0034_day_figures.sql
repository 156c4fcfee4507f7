-- What happened in a family on a UTC day, stored once the day has ended. Nothing of a past day changes.
create table day_figures (
  day date not null,
  service_family text not null,
  created integer not null check (created >= 0),
  delivered integer not null check (delivered >= 0),
  on_time integer not null check (on_time between 0 and delivered),
  revised integer not null check (revised >= 0),
  -- From creation to the first delivery, for each delivered job.
  hours double precision[] not null check (cardinality(hours) = delivered),
  primary key (day, service_family)
);

-- The days that are stored, also those on which nothing happened. They have no gap.
create table stored_days (
  day date primary key
);
