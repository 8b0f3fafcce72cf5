-- A licence is good to the end of the day that is shown, in the time zone of the organisation that has it, as everything that ends on a day.
update training_licences f set expires_at = (((f.expires_at at time zone e.time_zone)::date + 1)::timestamp at time zone e.time_zone) - interval '1 second'
from entities e
where e.id = f.entity_id and f.ended_at is null
  and f.expires_at <> (((f.expires_at at time zone e.time_zone)::date + 1)::timestamp at time zone e.time_zone) - interval '1 second';
